import { byteLength, type Json } from '../meta/index.ts';
import type { ItemList, Pause } from './item-list.ts';
import { isPlainText } from './yaml-plain-scalars.ts';

/** After this column text is folded at its next space (go-yaml's best width). */
const bestWidth = 80;
const step = 2;
/** Longer names (in bytes) become complex keys after a question mark. */
const maxSimpleKey = 128;

/**
 * YAML output of kube-apiserver and kubectl (sigs.k8s.io/yaml over go-yaml 2): members in natural order, lists not indented below
 * their key, plain scalars where unambiguous, folded after column 80, characters beyond the basic plane (emoji) escaped.
 */
export function printYaml(value: Json): string {
  const emitter = new Emitter();
  printNode(emitter, value, -step, false);
  emitter.line(0);
  return emitter.text;
}

/** The same bytes as `printYaml`, for a whole list. */
export async function printYamlList({ frame, member, items }: ItemList, pause: Pause): Promise<readonly Uint8Array[]> {
  const encoder = new TextEncoder();
  const whole = printYaml({ ...frame, [member]: [] });
  // Only members of the list itself start in the first column.
  const start = whole.indexOf(`\n${member}: []\n`) + 1;
  const end = start + `${member}: []\n`.length;
  const pieces = [encoder.encode(`${whole.slice(0, start)}${member}:\n`)];
  for (const item of items) {
    pieces.push(encoder.encode(printYaml([item])));
    const paused = pause();
    if (paused) await paused;
  }
  pieces.push(encoder.encode(whole.slice(end)));
  return pieces;
}

/** The output with its current position (cf. go-yaml yaml_emitter_t). */
class Emitter {
  text = '';
  column = 0;
  /** Whether the next indicator needs no space before it. */
  #spaced = true;
  /** Whether the line contains only blanks and indicators. */
  #indented = true;

  get indented(): boolean {
    return this.#indented;
  }

  /** Moves to a column of an empty line. */
  line(column: number): void {
    if (!this.#indented || this.column > column || (this.column === column && !this.#spaced)) this.break();
    this.text += ' '.repeat(column - this.column);
    this.column = column;
    this.#spaced = true;
    this.#indented = true;
  }

  /** Ends the line with the given break. */
  break(lineBreak = '\n'): void {
    this.text += lineBreak;
    this.column = 0;
    this.#spaced = true;
    this.#indented = true;
  }

  /** Writes `-`, `?` or `:`; the next collection may start on the same line. */
  sign(sign: '-' | '?' | ':'): void {
    this.part();
    this.add(sign);
    this.#spaced = false;
  }

  /** Writes a blank, unless there is one. */
  part(): void {
    if (!this.#spaced) this.add(' ');
  }

  /** Adds one character or escape. */
  add(text: string): void {
    this.text += text;
    this.column += text.length;
  }

  /** Adds text after which no collection can start on the line. */
  close(text: string): void {
    this.text += text;
    this.column += text.length;
    this.#spaced = false;
    this.#indented = false;
  }

  /** Writes one character of content. */
  write(character: string): void {
    this.text += character;
    this.column++;
    this.#indented = false;
  }
}

type Members = { readonly [name: string]: Json | undefined };

function membersOf(object: Members): [string, Json][] {
  const members = Object.entries(object).filter((member): member is [string, Json] => member[1] !== undefined);
  return members.sort(([a], [b]) => compareNaturally(a, b));
}

/** `indent`: of the surrounding block; `ofMember`: the node is a member's value. */
function printNode(emitter: Emitter, value: Json, indent: number, ofMember: boolean): void {
  if (Array.isArray(value)) printList(emitter, value, ofMember && !emitter.indented ? indent : indent + step);
  else if (typeof value === 'object' && value !== null) printMembers(emitter, membersOf(value as Members), indent + step);
  else if (typeof value === 'string') printText(emitter, value, Math.max(indent, 0) + step, false);
  else printPlain(emitter, typeof value === 'number' ? numberText(value) : String(value));
}

function printPlain(emitter: Emitter, word: string): void {
  emitter.part();
  emitter.close(word);
}

/** A list is indented below its key only after a question mark. */
function printList(emitter: Emitter, items: readonly Json[], indent: number): void {
  if (items.length === 0) printPlain(emitter, '[]');
  for (const item of items) {
    emitter.line(indent);
    emitter.sign('-');
    printNode(emitter, item, indent, false);
  }
}

function printMembers(emitter: Emitter, members: readonly [string, Json][], indent: number): void {
  if (members.length === 0) printPlain(emitter, '{}');
  for (const [name, member] of members) {
    emitter.line(indent);
    if (!lineBreak.test(name) && byteLength(name) <= maxSimpleKey) {
      printText(emitter, name, indent + step, true);
      emitter.close(':');
    } else {
      emitter.sign('?');
      printText(emitter, name, indent + step, false);
      emitter.line(indent);
      emitter.sign(':');
    }
    printNode(emitter, member, indent, true);
  }
}

/** Go's %g: an exponent of at least two digits, from 1e21 on. */
function numberText(value: number): string {
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** `isKey`: the text must stay on one line. */
function printText(emitter: Emitter, value: string, indent: number, isKey: boolean): void {
  const form = analyzeScalar(value);
  if (value.includes('\n')) {
    if (form.blockAllowed) printLiteral(emitter, value, indent);
    else printDoubleQuoted(emitter, value, indent, isKey);
  } else if (!isPlainText(value)) printDoubleQuoted(emitter, value, indent, isKey);
  else if (form.plainAllowed) printFolded(emitter, value, indent, isKey, '');
  else if (form.singleAllowed) printFolded(emitter, value, indent, isKey, "'");
  else printDoubleQuoted(emitter, value, indent, isKey);
}

interface Form {
  readonly plainAllowed: boolean;
  readonly singleAllowed: boolean;
  readonly blockAllowed: boolean;
}

const lineBreak = /[\n\r\u0085\u2028\u2029]/;
/** Control characters except `\n`, byte order marks, surrogates, and everything beyond the basic plane. */
const unprintable = /(?!\n)\p{Cc}|[\ufeff\ufffe\uffff]|\p{Cs}|[\u{10000}-\u{10ffff}]/u;

/** Cf. go-yaml yaml_emitter_analyze_scalar, for block context. */
function analyzeScalar(value: string): Form {
  const special = unprintable.test(value) || / [\n\r\u0085\u2028\u2029]/.test(value);
  const breakSpace = /[\n\r\u0085\u2028\u2029] /.test(value);
  const indicators = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \t]|$))|:(?:[ \t]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/.test(value);
  return {
    plainAllowed: !special && !indicators && !lineBreak.test(value) && !value.startsWith(' ') && !value.endsWith(' '),
    singleAllowed: !special && !breakSpace,
    blockAllowed: !special && !value.endsWith(' '),
  };
}

function printLiteral(emitter: Emitter, value: string, indent: number): void {
  const hint = value.startsWith(' ') || lineBreak.test(value[0] ?? '') ? String(step) : '';
  const ends = lineBreak.test(value.at(-1) ?? '');
  const chomp = !ends ? '-' : value.length === 1 || lineBreak.test(value.at(-2) ?? '') ? '+' : '';
  emitter.part();
  emitter.close(`|${hint}${chomp}`);
  emitter.break();
  let broken = true;
  for (const character of value) {
    const breaks = lineBreak.test(character);
    if (breaks) emitter.break(character);
    else {
      if (broken) emitter.line(indent);
      emitter.write(character);
    }
    broken = breaks;
  }
}

/** Breaks lines at the first single space past the width. `mark`: the quotation mark, if any. */
function printFolded(emitter: Emitter, value: string, indent: number, isKey: boolean, mark: "'" | ''): void {
  emitter.part();
  emitter.add(mark);
  const characters = [...value];
  let broken = false;
  characters.forEach((character, index) => {
    if (lineBreak.test(character)) {
      emitter.break(character);
      broken = true;
      return;
    }
    const lone = character === ' ' && characters[index - 1] !== ' ' && characters[index + 1] !== ' ';
    if (lone && !isKey && emitter.column > bestWidth && index > 0 && index < characters.length - 1) {
      emitter.line(indent);
      return;
    }
    if (broken) emitter.line(indent);
    broken = false;
    emitter.write(character);
    if (character === mark) emitter.write(mark);
  });
  emitter.close(mark);
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

function printDoubleQuoted(emitter: Emitter, value: string, indent: number, isKey: boolean): void {
  emitter.part();
  emitter.add('"');
  const characters = [...value];
  // Upstream escapes everything after a leading byte order mark.
  const allEscaped = value.startsWith('\ufeff');
  characters.forEach((character, index) => {
    const next = characters[index + 1];
    const lone = character === ' ' && !allEscaped && characters[index - 1] !== ' ' && index > 0 && next !== undefined;
    if (lone && !isKey && emitter.column > bestWidth) {
      emitter.line(indent);
      if (next === ' ') emitter.add('\\');
    } else if (shortEscapes[character] !== undefined && (allEscaped || needsEscape(character))) emitter.add(shortEscapes[character] ?? '');
    else if (allEscaped || needsEscape(character)) emitter.add(codeEscape(character));
    else emitter.write(character);
  });
  emitter.close('"');
}

function needsEscape(character: string): boolean {
  return character === '"' || character === '\\' || unprintable.test(character) || lineBreak.test(character);
}

function codeEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Natural order of members: letters after other characters, numbers in names by value (cf. go-yaml keyList). */
function compareNaturally(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, index) => character !== right[index]);
  const [first, second] = [left[at], right[at]];
  if (first === undefined || second === undefined) return left.length - right.length;
  const letters = [isLetter(first), isLetter(second)];
  if (letters[0] && letters[1]) return codeOf(first) - codeOf(second);
  if (letters[0] || letters[1]) return letters[1] ? -1 : 1;
  // As upstream: after digits, a leading zero counts.
  const inNumber = (first === '0' || second === '0') && /[1-9]0*$/.test(a.slice(0, left.slice(0, at).join('').length));
  const [from, to] = [numberAt(left, at, inNumber), numberAt(right, at, inNumber)];
  if (from.value !== to.value) return from.value < to.value ? -1 : 1;
  return from.end - to.end || codeOf(first) - codeOf(second);
}

const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const isDigit = (character: string | undefined): boolean => character !== undefined && /\p{Nd}/u.test(character);
const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

function numberAt(characters: readonly string[], start: number, inNumber: boolean): { readonly value: bigint; readonly end: number } {
  let value = inNumber ? 1n : 0n;
  let end = start;
  for (; isDigit(characters[end]); end++) value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(characters[end] ?? '') - 48));
  return { value, end };
}
