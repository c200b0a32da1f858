import type { Json } from '../meta/index.ts';
import { isPlainText } from './yaml-words.ts';

/** After this column a text is folded at its next space (go-yaml's best width). */
const bestWidth = 80;

/**
 * YAML as the real server and kubectl print it (sigs.k8s.io/yaml over go-yaml 2): members sorted naturally, lists not indented below
 * their key, texts plain where that is unambiguous, folded after column 80.
 */
export function printYaml(value: Json): string {
  if (isCompound(value)) return `${linesOf(value, 0).join('\n')}\n`;
  return `${scalar(value, 0, 0, false)}\n`;
}

type Members = { readonly [name: string]: Json | undefined };

function isCompound(value: Json | undefined): value is readonly Json[] | Members {
  return typeof value === 'object' && value !== null && (Array.isArray(value) ? value.length > 0 : membersOf(value as Members).length > 0);
}

function membersOf(object: Members): [string, Json][] {
  const members = Object.entries(object).filter((member): member is [string, Json] => member[1] !== undefined);
  return members.sort(([a], [b]) => compareNaturally(a, b));
}

function linesOf(value: readonly Json[] | Members, indent: number): string[] {
  const margin = ' '.repeat(indent);
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((item) => {
      if (!isCompound(item)) return [`${margin}- ${scalar(item, indent + 2, indent + 2, false)}`];
      const [first = '', ...rest] = linesOf(item, indent + 2);
      return [`${margin}- ${first.slice(indent + 2)}`, ...rest];
    });
  }
  return membersOf(value as Members).flatMap(([name, member]) => {
    const key = `${margin}${scalar(name, indent, indent, true)}:`;
    if (!isCompound(member)) return [`${key} ${scalar(member, indent + 2, key.length + 1, false)}`];
    return [key, ...linesOf(member, Array.isArray(member) ? indent : indent + 2)];
  });
}

/** `column`: where the scalar begins; `indent`: where its folded lines go on. */
function scalar(value: Json | undefined, indent: number, column: number, isKey: boolean): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'object') return Array.isArray(value) ? '[]' : '{}';
  return text(value, indent, column, isKey);
}

/** Go's %g: an exponent of at least two digits, from 1e21 on. */
function numberText(value: number): string {
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

function text(value: string, indent: number, column: number, isKey: boolean): string {
  const form = analyse(value);
  if (value.includes('\n') && !isKey && form.blockAllowed) return literal(value, indent);
  if (value.includes('\n') || !isPlainText(value)) return doubleQuoted(value, indent, column, isKey);
  if (form.plainAllowed) return folded(value, indent, column, isKey);
  if (form.singleAllowed) return folded(`'${value.replaceAll("'", "''")}'`, indent, column, isKey);
  return doubleQuoted(value, indent, column, isKey);
}

interface Form {
  readonly plainAllowed: boolean;
  readonly singleAllowed: boolean;
  readonly blockAllowed: boolean;
}

/** Control characters but for line breaks, byte order marks, and halves of surrogate pairs. */
const unprintable = /(?![\n\u0085])\p{Cc}|[\ufeff\ufffe\uffff]|\p{Cs}/u;

/** Cf. go-yaml yaml_emitter_analyze_scalar, for block context. */
function analyse(value: string): Form {
  const special = unprintable.test(value);
  const spaceBreak = / \n/.test(value);
  const breakSpace = /\n /.test(value);
  const edges = /^[ \n]|[ \n]$/.test(value);
  const indicators = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \n]|$))/.test(value) || /:(?:[ \n]|$)|[ \n]#/.test(value);
  return {
    plainAllowed: value !== '' && !special && !spaceBreak && !breakSpace && !edges && !indicators && !value.includes('\n'),
    singleAllowed: !special && !spaceBreak && !breakSpace,
    blockAllowed: !special && !spaceBreak && !value.endsWith(' '),
  };
}

function literal(value: string, indent: number): string {
  const hint = /^[ \n]/.test(value) ? '2' : '';
  const chomp = !value.endsWith('\n') ? '-' : value === '\n' || value.endsWith('\n\n') ? '+' : '';
  const body = value.endsWith('\n') ? value.slice(0, -1) : value;
  const margin = ' '.repeat(indent);
  return [`|${hint}${chomp}`, ...body.split('\n').map((line) => (line === '' ? '' : `${margin}${line}`))].join('\n');
}

/** Breaks a line at the first lone space past the width. */
function folded(value: string, indent: number, column: number, isKey: boolean): string {
  if (isKey || column + value.length <= bestWidth) return value;
  let out = '';
  let at = column;
  for (let i = 0; i < value.length; i++) {
    const lone = value[i] === ' ' && value[i - 1] !== ' ' && value[i + 1] !== ' ' && i > 0 && i < value.length - 1;
    if (lone && at > bestWidth) {
      out += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      out += value[i];
      at++;
    }
  }
  return out;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\u000b': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u00a0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function doubleQuoted(value: string, indent: number, column: number, isKey: boolean): string {
  let out = '"';
  let at = column + 1;
  const characters = [...value];
  characters.forEach((character, index) => {
    const next = characters[index + 1];
    const breaks = !isKey && character === ' ' && characters[index - 1] !== ' ' && index > 0 && next !== undefined && at > bestWidth;
    if (breaks) {
      const mark = next === ' ' ? '\\' : '';
      out += `\n${' '.repeat(indent)}${mark}`;
      at = indent + mark.length;
      return;
    }
    const shown = escaped(character);
    out += shown;
    at += shown.length;
  });
  return `${out}"`;
}

function escaped(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  if (!unprintable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code <= 0xff ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

const isDigit = (character: string | undefined): boolean => character !== undefined && character >= '0' && character <= '9';

/** Order of members: letters after other characters, numbers inside names by their value (cf. go-yaml keyList). */
export function compareNaturally(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] === b[i]) continue;
    const [left, right] = [/\p{L}/u.test(a[i] ?? ''), /\p{L}/u.test(b[i] ?? '')];
    if (left && right) return (a[i] ?? '') < (b[i] ?? '') ? -1 : 1;
    if (left || right) return right ? -1 : 1;
    const [from, to] = [numberAt(a, i), numberAt(b, i)];
    if (from.value !== to.value) return from.value < to.value ? -1 : 1;
    if (from.end !== to.end) return from.end < to.end ? -1 : 1;
    return (a[i] ?? '') < (b[i] ?? '') ? -1 : 1;
  }
  return a.length - b.length;
}

function numberAt(text: string, start: number): { readonly value: bigint; readonly end: number } {
  let end = start;
  while (isDigit(text[end])) end++;
  // Digits before the difference make a leading zero count.
  let leading = '';
  if (text[start] === '0') for (let j = start - 1; j >= 0 && isDigit(text[j]); j--) if (text[j] !== '0') leading = '1';
  return { value: BigInt(`${leading}${text.slice(start, end)}` || '0'), end };
}
