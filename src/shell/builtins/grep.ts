import type { Invocation } from '../context.ts';
import { linesOf } from '../streams.ts';
import { openInputs } from './input-files.ts';
import { readOptions } from './options.ts';
import { regExpSource } from './regular-expression.ts';

export async function grep(call: Invocation): Promise<number> {
  const { words, has, value, flags } = readOptions('grep', call.args, 'EFGPivncoqlhHwxe:A:B:C:m:rs', {
    'ignore-case': 'i',
    'invert-match': 'v',
    count: 'c',
    'only-matching': 'o',
    quiet: 'q',
    'line-number': 'n',
    'extended-regexp': 'E',
    'fixed-strings': 'F',
    'after-context': 'A',
    'before-context': 'B',
    context: 'C',
    regexp: 'e',
    'word-regexp': 'w',
    'max-count': 'm',
    'no-messages': 's',
    color: 's',
  });
  const names = [...words];
  const patterns = flags.get('e') ?? [names.shift() ?? ''];
  const kind = has('F') ? 'fixed' : has('E') || has('P') ? 'extended' : 'basic';
  const source = patterns
    .flatMap((pattern) => pattern.split('\n'))
    .map((pattern) => `(?:${regExpSource(pattern, kind)})`)
    .join('|');
  const bounded = has('x') ? `^(?:${source})$` : has('w') ? `(?<!\\w)(?:${source})(?!\\w)` : source;
  const matcher = new RegExp(bounded, `gu${has('i') ? 'i' : ''}`);
  const [after, before] = [Number(value('A') ?? value('C') ?? 0), Number(value('B') ?? value('C') ?? 0)];
  let found = false;
  const sources = await openInputs(call, names);
  for (const { name, source: from } of sources) {
    const label = (sources.length > 1 && !has('h')) || has('H') ? `${name}:` : '';
    const printer = new ContextPrinter(call, { before, after, number: has('n'), label });
    let matches = 0;
    for await (const line of linesOf(from)) {
      matcher.lastIndex = 0;
      const hit = matcher.test(line) !== has('v');
      if (hit) matches++;
      matcher.lastIndex = 0;
      if (hit && has('o')) for (const match of line.matchAll(matcher)) if (match[0] !== '') call.out(`${label}${match[0]}\n`);
      if (!has('c') && !has('o') && !has('q') && !has('l')) printer.addLine(line, hit);
      if (hit && (has('q') || has('l') || matches >= Number(value('m') ?? Infinity))) break;
    }
    if (has('c')) call.out(`${label}${matches}\n`);
    if (has('l') && matches > 0) call.out(`${name}\n`);
    if (matches > 0) found = true;
  }
  return found ? 0 : sources.length < names.length ? 2 : 1;
}

interface ContextOptions {
  readonly before: number;
  readonly after: number;
  /** Print line numbers. */
  readonly number: boolean;
  readonly label: string;
}

/** Prints matching lines with context. */
class ContextPrinter {
  readonly #call: Invocation;
  readonly #options: ContextOptions;
  #preceding: [number, string][] = [];
  #line = 0;
  #lastPrintedLine = 0;
  #until = 0;

  constructor(call: Invocation, options: ContextOptions) {
    this.#call = call;
    this.#options = options;
  }

  addLine(line: string, hit: boolean): void {
    this.#line++;
    const { before, after } = this.#options;
    if (hit) {
      const first = this.#preceding[0]?.[0] ?? this.#line;
      if (before + after > 0 && this.#lastPrintedLine > 0 && first > this.#lastPrintedLine + 1) this.#call.out('--\n');
      for (const [number, text] of this.#preceding) this.#print(number, text, '-');
      this.#preceding = [];
      this.#print(this.#line, line, ':');
      this.#until = this.#line + after;
    } else if (this.#line <= this.#until) this.#print(this.#line, line, '-');
    else if (before > 0) {
      this.#preceding.push([this.#line, line]);
      if (this.#preceding.length > before) this.#preceding.shift();
    }
  }

  #print(number: number, text: string, mark: string): void {
    this.#lastPrintedLine = number;
    const { label, number: numbered } = this.#options;
    this.#call.out(`${mark === '-' ? label.replace(/:$/, '-') : label}${numbered ? `${number}${mark}` : ''}${text}\n`);
  }
}
