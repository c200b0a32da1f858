import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { readText } from '../streams.ts';
import { readOptions } from './options.ts';
import { regExpSource } from './regular-expression.ts';

type Address = { readonly line: number } | { readonly last: true } | { readonly pattern: RegExp };

interface Edit {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly negated: boolean;
  readonly action: 'd' | 'p' | 'q' | '=' | 'a' | 'i' | 'c' | 's';
  readonly text: string;
  readonly pattern?: RegExp;
  readonly print?: boolean;
  /** Replace only this occurrence. */
  readonly nth?: number;
}

/** `sed` with substitutions, deletions, printing, insertions and addresses; -n -i -E -e. */
export async function sed(call: Invocation): Promise<number> {
  const { words, has, flags } = readOptions(
    'sed',
    call.args.map((arg) => (/^-i./.test(arg) ? '-i' : arg)),
    'niEre:s',
    { quiet: 'n', 'in-place': 'i', 'regexp-extended': 'E', expression: 'e' },
  );
  const names = [...words];
  const scripts = flags.get('e') ?? [names.shift() ?? ''];
  const edits = scripts.flatMap((script) => new EditReader(script, has('E') || has('r')).read());
  if (has('i')) {
    for (const name of names) {
      const content = await call.shell.files.read(call.path(name));
      if (!content) throw new CommandError(`sed: can't read ${name}: No such file or directory`, 2);
      await call.shell.files.write(call.path(name), new TextEncoder().encode(runEdits(edits, new TextDecoder().decode(content), has('n'))));
    }
    return 0;
  }
  let code = 0;
  let text = names.length === 0 ? await readText(call.input) : '';
  for (const name of names) {
    const content = await call.shell.files.read(call.path(name));
    if (content) text += new TextDecoder().decode(content);
    else {
      call.err(`sed: can't read ${name}: No such file or directory\n`);
      code = 2;
    }
  }
  call.out(runEdits(edits, text, has('n')));
  return code;
}

class EditReader {
  readonly #text: string;
  readonly #kind: 'basic' | 'extended';
  #at = 0;

  constructor(text: string, extended: boolean) {
    this.#text = text;
    this.#kind = extended ? 'extended' : 'basic';
  }

  read(): Edit[] {
    const edits: Edit[] = [];
    for (;;) {
      while (/[\s;]/.test(this.#text[this.#at] ?? '')) this.#at++;
      if (this.#at >= this.#text.length) return edits;
      edits.push(this.#readEdit());
    }
  }

  #readEdit(): Edit {
    const from = this.#readAddress();
    let to: Address | undefined;
    if (from && this.#text[this.#at] === ',') {
      this.#at++;
      to = this.#readAddress();
    }
    const negated = this.#text[this.#at] === '!';
    if (negated) this.#at++;
    while (this.#text[this.#at] === ' ') this.#at++;
    const action = this.#text[this.#at++] ?? '';
    const base = { from, to, negated };
    switch (action) {
      case 'd':
      case 'p':
      case 'q':
      case '=':
        return { ...base, action, text: '' };
      case 'a':
      case 'i':
      case 'c': {
        const text = this.#text.slice(this.#at).replace(/^\s*(?:\\\n?)?/, '');
        this.#at = this.#text.length;
        return { ...base, action, text };
      }
      case 's':
        return { ...base, action, ...this.#readSubstitution() };
      default:
        throw new CommandError(`sed: -e expression #1, char ${this.#at}: unknown command: \`${action}'`);
    }
  }

  #readAddress(): Address | undefined {
    const number = /^\d+/.exec(this.#text.slice(this.#at))?.[0];
    if (number !== undefined) {
      this.#at += number.length;
      return { line: Number(number) };
    }
    if (this.#text[this.#at] === '$') {
      this.#at++;
      return { last: true };
    }
    if (this.#text[this.#at] !== '/') return undefined;
    this.#at++;
    return { pattern: new RegExp(regExpSource(this.#readUntil('/'), this.#kind)) };
  }

  /** Up to the delimiter; a backslash escapes it. */
  #readUntil(delimiter: string): string {
    let text = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] ?? '';
      if (char === delimiter) {
        this.#at++;
        return text;
      }
      if (char === '\\') {
        const next = this.#text[++this.#at] ?? '';
        text += next === delimiter ? next : `\\${next}`;
      } else text += char;
    }
    throw new CommandError(`sed: -e expression #1, char ${this.#at}: unterminated \`s' command`);
  }

  #readSubstitution(): { pattern: RegExp; text: string; print: boolean; nth: number } {
    const delimiter = this.#text[this.#at++] ?? '/';
    const pattern = this.#readUntil(delimiter);
    const text = this.#readUntil(delimiter);
    const flags = /^[gpiI\d]*/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#at += flags.length;
    const nth = flags.includes('g') ? 0 : Number(/\d+/.exec(flags)?.[0] ?? 1);
    return { pattern: new RegExp(regExpSource(pattern, this.#kind), /i/i.test(flags) ? 'gi' : 'g'), text, print: flags.includes('p'), nth };
  }
}

function runEdits(edits: readonly Edit[], text: string, quiet: boolean): string {
  if (text === '') return '';
  const ended = text.endsWith('\n');
  const lines = (ended ? text.slice(0, -1) : text).split('\n');
  const inside = new Set<Address>();
  let out = '';
  for (const [index, line] of lines.entries()) {
    const last = index === lines.length - 1;
    const cycle = { line, number: index + 1, last, end: last && !ended ? '' : '\n', shown: !quiet, before: '', after: '', stop: false };
    runCycle(edits, cycle, inside);
    out += cycle.before + (cycle.shown ? cycle.line + cycle.end : '') + cycle.after;
    if (cycle.stop) break;
  }
  return out;
}

/** The state of one line's processing. */
interface Cycle extends LinePosition {
  line: string;
  /** Line feed of the line; the last one may lack it. */
  readonly end: string;
  /** Whether the line is printed at the end. */
  shown: boolean;
  /** Output before the line. */
  before: string;
  /** Output after the line. */
  after: string;
  /** Whether no more lines are read. */
  stop: boolean;
}

function runCycle(edits: readonly Edit[], cycle: Cycle, inside: Set<Address>): void {
  for (const edit of edits) {
    if (isSelected(edit, cycle, inside) === edit.negated) continue;
    if (edit.action === 'd') {
      cycle.shown = false;
      return;
    }
    runEdit(edit, cycle);
  }
}

function runEdit(edit: Edit, cycle: Cycle): void {
  switch (edit.action) {
    case 's': {
      const changed = substitute(cycle.line, edit);
      if (changed !== undefined && edit.print) cycle.before += changed + cycle.end;
      cycle.line = changed ?? cycle.line;
      break;
    }
    case 'p':
      cycle.before += cycle.line + cycle.end;
      break;
    case '=':
      cycle.before += `${cycle.number}\n`;
      break;
    case 'i':
      cycle.before += `${edit.text}\n`;
      break;
    case 'a':
      cycle.after += `${edit.text}\n`;
      break;
    case 'c':
      cycle.line = edit.text;
      cycle.shown = true;
      break;
    case 'q':
      cycle.stop = true;
      break;
  }
}

interface LinePosition {
  readonly line: string;
  readonly number: number;
  readonly last: boolean;
}

function isSelected({ from, to }: Edit, place: LinePosition, inside: Set<Address>): boolean {
  if (!from) return true;
  if (!to) return matches(from, place);
  if (inside.has(from)) {
    if (matches(to, place)) inside.delete(from);
    return true;
  }
  if (!matches(from, place)) return false;
  if (!('line' in to && to.line <= place.number)) inside.add(from);
  return true;
}

function matches(address: Address, { line, number, last }: LinePosition): boolean {
  if ('line' in address) return address.line === number;
  return 'last' in address ? last : address.pattern.test(line);
}

/** Undefined when nothing matched. */
function substitute(line: string, { pattern, text, nth = 1 }: Edit): string | undefined {
  if (!pattern) return undefined;
  let count = 0;
  let changed = false;
  const result = line.replace(pattern, (...found: unknown[]) => {
    count++;
    if (nth > 0 && count !== nth) return String(found[0]);
    changed = true;
    return text.replace(/\\(\d)|\\n|\\t|\\(.)|&/g, (mark, group: string | undefined, other: string | undefined) => {
      if (mark === '&') return String(found[0]);
      if (group !== undefined) return String(found[Number(group)] ?? '');
      return mark === '\\n' ? '\n' : mark === '\\t' ? '\t' : (other ?? '');
    });
  });
  return changed ? result : undefined;
}
