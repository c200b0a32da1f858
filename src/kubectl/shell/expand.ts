import type { Parameter, Part, Script, Word } from './ast.ts';
import type { ShellServices, ShellState } from './context.ts';
import { CommandError } from './errors.ts';
import { resolvePath } from './files.ts';

export interface Expander {
  readonly state: ShellState;
  readonly shell: ShellServices;
  /** What a `$(…)` writes. */
  capture(script: Script): Promise<string>;
}

/** A piece of an expanded word; only unquoted pieces are split and globbed. */
interface Piece {
  readonly text: string;
  readonly quoted: boolean;
  /** Comes from an expansion, so blanks in it separate fields. */
  readonly splits: boolean;
  /** `"$@"`: a new field starts before this piece. */
  readonly starts?: boolean;
}

/** Words as a command gets them: expanded, split into fields, matched against files. */
export async function expandWords(words: readonly Word[], by: Expander): Promise<string[]> {
  const fields: string[] = [];
  for (const word of words) {
    for (const variant of expandBraces(word)) {
      for (const field of splitFields(await expandParts(withHome(variant, by.state), by))) fields.push(...(await expandGlob(field, by)));
    }
  }
  return fields;
}

/** A word as one text: for assignments, redirections and here-documents. */
export async function expandText(word: Word, by: Expander): Promise<string> {
  const pieces = await expandParts(withHome(word, by.state), by);
  return pieces.map((piece, index) => (piece.starts && index > 0 ? ` ${piece.text}` : piece.text)).join('');
}

/** A word as a pattern: quoted parts stand for themselves. */
export async function expandPattern(word: Word, by: Expander): Promise<RegExp> {
  const pieces = await expandParts(word, by);
  return globToRegExp(pieces.map(({ text, quoted }) => (quoted ? text.replace(/[*?[\]\\]/g, '\\$&') : text)).join(''));
}

function withHome(word: Word, state: ShellState): Word {
  const [first, ...rest] = word;
  if (first?.type !== 'text' || first.quoted || !/^~(\/|$)/.test(first.text)) return word;
  return [{ ...first, text: (state.variables.get('HOME') ?? '/') + first.text.slice(1) }, ...rest];
}

/** `a{b,c}d` and `{1..3}` in unquoted text. */
function expandBraces(word: Word): Word[] {
  for (const [index, part] of word.entries()) {
    if (part.type !== 'text' || part.quoted) continue;
    const match = /\{([^{}\s]*,[^{}\s]*|-?\d+\.\.-?\d+)\}/.exec(part.text);
    if (!match) continue;
    const [whole, inner = ''] = match;
    return choicesOf(inner).flatMap((choice) => {
      const text = part.text.slice(0, match.index) + choice + part.text.slice(match.index + whole.length);
      return expandBraces([...word.slice(0, index), { ...part, text }, ...word.slice(index + 1)]);
    });
  }
  return [word];
}

function choicesOf(inner: string): string[] {
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(inner);
  if (!range) return inner.split(',');
  const [from, to] = [Number(range[1]), Number(range[2])];
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.min(Math.abs(to - from), 9999) + 1 }, (_, index) => String(from + index * step));
}

async function expandParts(word: Word, by: Expander): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const part of word) pieces.push(...(await expandPart(part, by)));
  return pieces;
}

async function expandPart(part: Part, by: Expander): Promise<Piece[]> {
  const { quoted } = part;
  switch (part.type) {
    case 'text':
      return [{ text: part.text, quoted, splits: false }];
    case 'command':
      return [{ text: (await by.capture(part.script)).replace(/\n+$/, ''), quoted, splits: !quoted }];
    case 'arithmetic': {
      // Few lines calculate.
      const { evaluate } = await import('./arithmetic.ts');
      return [{ text: String(evaluate(await expandText(part.expression, by), by.state.variables)), quoted, splits: !quoted }];
    }
    case 'parameter':
      if (part.name === '@' || part.name === '*') return expandPositional(part, by.state);
      return [{ text: await expandParameter(part, by), quoted, splits: !quoted }];
    default:
      return part satisfies never;
  }
}

function expandPositional({ name, quoted }: Parameter, { positional }: ShellState): Piece[] {
  if (quoted && name === '@') return positional.map((text, index) => ({ text, quoted, splits: false, starts: index > 0 }));
  return [{ text: positional.join(' '), quoted, splits: !quoted }];
}

function variableOf(name: string, state: ShellState): string | undefined {
  if (/^[1-9]$/.test(name)) return state.positional[Number(name) - 1];
  switch (name) {
    case '?':
      return String(state.status);
    case '#':
      return String(state.positional.length);
    case '$':
    case '!':
      return '4711';
    case '0':
      return 'sh';
    case '-':
      return '';
    case 'PWD':
      return state.directory;
    default:
      return state.variables.get(name);
  }
}

async function expandParameter(part: Parameter, by: Expander): Promise<string> {
  const value = variableOf(part.name, by.state);
  const set = part.operator.startsWith(':') ? value !== undefined && value !== '' : value !== undefined;
  const word = (): Promise<string> => expandText(part.word, by);
  switch (part.operator) {
    case 'length':
      return String([...(value ?? '')].length);
    case ':-':
    case '-':
      return set ? (value ?? '') : word();
    case ':+':
    case '+':
      return set ? word() : '';
    case ':=':
    case '=': {
      const text = set ? (value ?? '') : await word();
      by.state.variables.set(part.name, text);
      return text;
    }
    case ':?':
    case '?':
      if (!set) throw new CommandError(`sh: ${part.name}: ${(await word()) || 'parameter null or not set'}`);
      return value ?? '';
    case '#':
    case '##':
    case '%':
    case '%%':
      return trim(value ?? '', part.operator, await word());
    case '/':
    case '//':
      return substitute(value ?? '', part.operator === '//', await word());
    default:
      return value ?? '';
  }
}

function trim(value: string, operator: string, pattern: string): string {
  const matcher = globToRegExp(pattern);
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
  if (operator.length === 2) lengths.reverse();
  for (const length of lengths) {
    const part = operator.startsWith('#') ? value.slice(0, length) : value.slice(value.length - length);
    if (matcher.test(part)) return operator.startsWith('#') ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

function substitute(value: string, all: boolean, word: string): string {
  const cut = word.indexOf('/');
  const [pattern, by] = cut < 0 ? [word, ''] : [word.slice(0, cut), word.slice(cut + 1)];
  const source = globToRegExp(pattern).source.slice(1, -1);
  return source === '' ? value : value.replace(new RegExp(source, all ? 'g' : ''), () => by);
}

function splitFields(pieces: readonly Piece[]): Piece[][] {
  const fields: Piece[][] = [];
  let field: Piece[] | undefined;
  for (const piece of pieces) {
    if (piece.starts) field = undefined;
    if (!piece.splits) {
      field ??= addTo(fields);
      field.push(piece);
      continue;
    }
    for (const [index, text] of piece.text.split(/[ \t\n]+/).entries()) {
      if (index > 0) field = undefined;
      if (text === '') continue;
      field ??= addTo(fields);
      field.push({ ...piece, text });
    }
  }
  return fields;
}

function addTo(fields: Piece[][]): Piece[] {
  const field: Piece[] = [];
  fields.push(field);
  return field;
}

async function expandGlob(field: readonly Piece[], { state, shell }: Expander): Promise<string[]> {
  const text = field.map((piece) => piece.text).join('');
  if (!field.some((piece) => !piece.quoted && /[*?[]/.test(piece.text))) return [text];
  const pattern = field.map((piece) => (piece.quoted ? piece.text.replace(/[*?[\]\\]/g, '\\$&') : piece.text)).join('');
  const segments = pattern.split('/');
  let found = [pattern.startsWith('/') ? '/' : ''];
  for (const segment of segments.filter((part) => part !== '')) {
    const matcher = globToRegExp(segment);
    const next: string[] = [];
    for (const base of found) {
      const join = base === '' || base.endsWith('/') ? base : `${base}/`;
      const names = await shell.files.list(resolvePath(state.directory, base === '' ? '.' : base));
      next.push(
        ...names.filter((name) => matcher.test(name) && (segment.startsWith('.') || !name.startsWith('.'))).map((name) => join + name),
      );
      if (segment === '..' || segment === '.') next.push(join + segment);
    }
    found = next;
  }
  return found.length > 0 ? found.sort() : [text];
}

/** `*`, `?` and `[a-z]`; matches the whole. */
export function globToRegExp(pattern: string): RegExp {
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    const close = char === '[' ? pattern.indexOf(']', at + 2) : -1;
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (char === '\\') source += (pattern[++at] ?? '').replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
    else if (close > 0) {
      source += `[${pattern
        .slice(at + 1, close)
        .replace(/^!/, '^')
        .replace(/\\/g, '\\\\')}]`;
      at = close;
    } else source += char.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
  }
  return new RegExp(`^${source}$`, 's');
}
