import type { Parameter, Part, Word } from './ast.ts';
import { type Expander, getVariable, type ShellState } from './context.ts';
import { resolvePath } from './files.ts';
import { globToRegExp } from './glob.ts';
import { literalText } from './word-reader.ts';

/** A piece of an expanded word; only unquoted pieces are split and globbed. */
interface Piece {
  readonly text: string;
  readonly quoted: boolean;
  /** Result of an expansion, so blanks in it separate fields. */
  readonly splits: boolean;
  /** `"$@"`: starts a new field. */
  readonly starts?: boolean;
}

/** Expands words into arguments: expansions, field splitting, globbing. */
export async function expandWords(words: readonly Word[], expander: Expander): Promise<string[]> {
  const fields: string[] = [];
  for (const word of words) {
    for (const variant of expandBraces(word)) {
      for (const field of splitFields(await expandParts(expandTilde(variant, expander.state), expander)))
        fields.push(...(await expandGlob(field, expander)));
    }
  }
  return fields;
}

/** Expands a word to one text: for assignments, redirections and here-documents. */
export async function expandText(word: Word, expander: Expander): Promise<string> {
  const pieces = await expandParts(expandTilde(word, expander.state), expander);
  return pieces.map((piece, index) => (piece.starts && index > 0 ? ` ${piece.text}` : piece.text)).join('');
}

/** Expands a word to a pattern: quoted parts match literally. */
export async function expandPattern(word: Word, expander: Expander): Promise<RegExp> {
  const pieces = await expandParts(word, expander);
  return globToRegExp(pieces.map(({ text, quoted }) => (quoted ? text.replace(/[*?[\]\\]/g, '\\$&') : text)).join(''));
}

function expandTilde(word: Word, state: ShellState): Word {
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
    return braceAlternatives(inner).flatMap((choice) => {
      const text = part.text.slice(0, match.index) + choice + part.text.slice(match.index + whole.length);
      return expandBraces([...word.slice(0, index), { ...part, text }, ...word.slice(index + 1)]);
    });
  }
  return [word];
}

function braceAlternatives(inner: string): string[] {
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(inner);
  if (!range) return inner.split(',');
  const [from, to] = [Number(range[1]), Number(range[2])];
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.min(Math.abs(to - from), 9999) + 1 }, (_, index) => String(from + index * step));
}

async function expandParts(word: Word, expander: Expander): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const part of word) pieces.push(...(await expandPart(part, expander)));
  return pieces;
}

async function expandPart(part: Part, expander: Expander): Promise<Piece[]> {
  const { quoted } = part;
  switch (part.type) {
    case 'text':
      return [{ text: part.text, quoted, splits: false }];
    case 'command':
      return [{ text: (await expander.capture(part.script)).replace(/(?<!\n)\n+$/, ''), quoted, splits: !quoted }];
    case 'arithmetic': {
      // Loaded on demand: arithmetic is rare.
      const { evaluateArithmetic } = await import('./variables.ts');
      return [{ text: String(evaluateArithmetic(await expandText(part.expression, expander), expander.state)), quoted, splits: !quoted }];
    }
    case 'process':
      return [{ text: await expander.createProcessFile(part.script), quoted, splits: false }];
    case 'parameter': {
      const isWhole = part.operator === '' && part.index === undefined;
      if (isWhole && part.name !== '@' && part.name !== '*')
        return [{ text: getVariable(part.name, expander.state) ?? '', quoted, splits: !quoted }];
      // Loaded on demand: most expansions are plain names.
      const values = isWhole ? expander.state.positional : await (await import('./parameters.ts')).expandParameter(part, expander);
      return createPieces(values, part, expander.state);
    }
    default:
      return part satisfies never;
  }
}

/** `"$@"` expands to one word each, `"$*"` to a single word. */
function createPieces(values: readonly string[], { name, index = [], quoted }: Parameter, state: ShellState): Piece[] {
  const all = index.length > 0 ? literalText(index) : name;
  if (quoted && all === '@') return values.map((text, at) => ({ text, quoted, splits: false, starts: at > 0 }));
  const between = quoted && all === '*' ? (state.variables.get('IFS') ?? ' ').slice(0, 1) : ' ';
  return [{ text: values.join(between), quoted, splits: !quoted }];
}

function splitFields(pieces: readonly Piece[]): Piece[][] {
  const fields: Piece[][] = [];
  let field: Piece[] | undefined;
  for (const piece of pieces) {
    if (piece.starts) field = undefined;
    if (!piece.splits) {
      field ??= startField(fields);
      field.push(piece);
      continue;
    }
    for (const [index, text] of piece.text.split(/[ \t\n]+/).entries()) {
      if (index > 0) field = undefined;
      if (text === '') continue;
      field ??= startField(fields);
      field.push({ ...piece, text });
    }
  }
  return fields;
}

function startField(fields: Piece[][]): Piece[] {
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
