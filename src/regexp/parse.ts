import { CharSet, complement, maxCodePoint, perlClasses, posixClasses, unicodeClass } from './char-set.ts';

/** A pattern that Go's regexp rejects, with its message. */
export class PatternError extends Error {
  constructor(problem: string, expression: string) {
    super(`error parsing regexp: ${problem}: \`${expression}\``);
    this.name = 'PatternError';
  }
}

/** Assertions about a position between two characters, as bits. */
export const assertion = { beginText: 1, endText: 2, beginLine: 4, endLine: 8, wordBoundary: 16, noWordBoundary: 32 } as const;

/** `max` is -1 for no limit. The numbers implement Go's limits. */
export type Node = NodeShape & {
  readonly nullable: boolean;
  readonly height: number;
  /** Approximate number of compiled instructions. */
  readonly size: number;
  /** The largest product of nested repetition counts. */
  readonly product: number;
};

type NodeShape =
  | { readonly op: 'empty' }
  | { readonly op: 'chars'; readonly set: CharSet }
  | { readonly op: 'assert'; readonly assertion: number }
  | { readonly op: 'concat' | 'alternate'; readonly subs: readonly Node[] }
  | { readonly op: 'capture'; readonly index: number; readonly sub: Node }
  | { readonly op: 'repeat'; readonly min: number; readonly max: number; readonly greedy: boolean; readonly sub: Node };

export interface ParsedPattern {
  readonly root: Node;
  /** Number of capturing groups, without the whole match. */
  readonly captures: number;
}

/** Go's limits: syntax/parse.go maxHeight, and maxSize, 128 MiB of instructions of 40 bytes. */
const maxHeight = 1000;
const maxSize = Math.floor((128 * 1024 * 1024) / 40);
const maxRepeat = 1000;

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

/** An open group: the nodes before and after the last `|`. */
interface Frame {
  readonly outerFlags: Flags;
  /** 0 for non-capturing groups. */
  readonly capture: number;
  readonly alternatives: Node[];
  items: Node[];
}

/** Parses RE2 syntax with the flags of Go's regexp.Compile; cf. Go regexp/syntax/parse.go. @throws PatternError */
export function parsePattern(pattern: string): ParsedPattern {
  return new Parser(pattern).parse();
}

const empty: Node = { op: 'empty', nullable: true, height: 1, size: 1, product: 1 };
const anyChar = CharSet.ofRanges([0, maxCodePoint]);
const anyCharNotNewline = CharSet.ofRanges(complement([0x0a, 0x0a]));
const countSyntax = /\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y;

class Parser {
  readonly #pattern: string;
  #at = 0;
  #flags: Flags = { i: false, m: false, s: false, U: false };
  #captures = 0;
  #lastClassEnd: number | undefined;
  readonly #frames: Frame[] = [];
  /** By code point, negative for case-insensitive ones: long texts have few different characters. */
  readonly #literals = new Map<number, Node>();

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): ParsedPattern {
    this.#open(0);
    // Position of the repetition operator that was read last; -1 after anything else.
    let lastRepeat = -1;
    while (this.#at < this.#pattern.length) {
      const start = this.#at;
      lastRepeat = this.#readNext(lastRepeat) ? start : -1;
    }
    const root = this.#closeAlternatives();
    if (this.#frames.length > 1) throw new PatternError('missing closing )', this.#pattern);
    return { root, captures: this.#captures };
  }

  get #frame(): Frame {
    return this.#frames[this.#frames.length - 1] as Frame;
  }

  /** Returns whether it was a repetition operator. */
  #readNext(lastRepeat: number): boolean {
    const char = this.#pattern[this.#at] as string;
    switch (char) {
      case '*':
        return this.#repeat(0, -1, this.#at + 1, lastRepeat);
      case '+':
        return this.#repeat(1, -1, this.#at + 1, lastRepeat);
      case '?':
        return this.#repeat(0, 1, this.#at + 1, lastRepeat);
      case '{':
        return this.#repeatCounted(lastRepeat);
      case '(':
        this.#readGroup();
        return false;
      case ')':
        this.#closeGroup();
        return false;
      case '[':
        this.#push(charsNode(this.#readClass()));
        return false;
      case '\\':
        this.#readEscape();
        return false;
    }
    if (char === '|') {
      this.#frame.alternatives.push(this.#checkLimits(concat(this.#frame.items)));
      this.#frame.items = [];
    } else if (char === '^') this.#pushAssertion(this.#flags.m ? assertion.beginLine : assertion.beginText);
    else if (char === '$') this.#pushAssertion(this.#flags.m ? assertion.endLine : assertion.endText);
    else if (char === '.') this.#push(charsNode(this.#flags.s ? anyChar : anyCharNotNewline));
    else {
      this.#pushLiteral(this.#nextCodePoint());
      return false;
    }
    this.#at++;
    return false;
  }

  #push(node: Node): void {
    this.#frame.items.push(this.#checkLimits(node));
  }

  #pushAssertion(kind: number): void {
    this.#push({ op: 'assert', assertion: kind, nullable: true, height: 1, size: 1, product: 1 });
  }

  #pushLiteral(codePoint: number): void {
    const key = this.#flags.i ? -1 - codePoint : codePoint;
    let node = this.#literals.get(key);
    if (!node) {
      node = charsNode(CharSet.ofRanges([codePoint, codePoint], this.#flags.i));
      this.#literals.set(key, node);
    }
    this.#push(node);
  }

  #checkLimits(node: Node): Node {
    if (node.size > maxSize) throw new PatternError('expression too large', this.#pattern);
    if (node.height > maxHeight) throw new PatternError('expression nests too deeply', this.#pattern);
    return node;
  }

  /** Reads a code point like Go from UTF-8, where lone surrogates are invalid. */
  #nextCodePoint(): number {
    const codePoint = this.#pattern.codePointAt(this.#at);
    if (codePoint === undefined) return 0xfffd;
    this.#at += codePoint > 0xffff ? 2 : 1;
    return codePoint >= 0xd800 && codePoint < 0xe000 ? 0xfffd : codePoint;
  }

  #repeatCounted(lastRepeat: number): boolean {
    countSyntax.lastIndex = this.#at;
    const count = countSyntax.exec(this.#pattern);
    if (!count) {
      this.#pushLiteral(this.#nextCodePoint());
      return false;
    }
    const min = Number(count[1]);
    const max = count[3] !== undefined ? Number(count[3]) : count[2] !== undefined ? -1 : min;
    if (min > maxRepeat || max > maxRepeat || (max >= 0 && min > max)) throw new PatternError('invalid repeat count', count[0]);
    return this.#repeat(min, max, countSyntax.lastIndex, lastRepeat);
  }

  #repeat(min: number, max: number, operatorEnd: number, lastRepeat: number): boolean {
    const start = this.#at;
    const isSwapped = this.#pattern[operatorEnd] === '?';
    this.#at = operatorEnd + (isSwapped ? 1 : 0);
    if (lastRepeat >= 0) throw new PatternError('invalid nested repetition operator', this.#pattern.slice(lastRepeat, this.#at));
    const operator = this.#pattern.slice(start, this.#at);
    const { items } = this.#frame;
    const sub = items.pop();
    if (!sub) throw new PatternError('missing argument to repetition operator', operator);
    const node = this.#checkLimits(repeatNode(sub, min, max, this.#flags.U === isSwapped));
    if ((min >= 2 || max >= 2) && node.product > maxRepeat) throw new PatternError('invalid repeat count', operator);
    items.push(node);
    return true;
  }

  #open(capture: number, outerFlags = this.#flags): void {
    this.#frames.push({ outerFlags, capture, alternatives: [], items: [] });
  }

  #readGroup(): void {
    const rest = this.#pattern.slice(this.#at, this.#at + 4);
    if (!rest.startsWith('(?')) {
      this.#at++;
      this.#open(++this.#captures);
      return;
    }
    const isNamed = rest[2] === '<' && this.#pattern.length - this.#at > 3;
    const isPythonNamed = rest === '(?P<' && this.#pattern.length - this.#at > 4;
    if (isNamed || isPythonNamed) this.#readNamedGroup(isNamed ? 3 : 4);
    else this.#readFlags();
  }

  #readNamedGroup(nameStart: number): void {
    const start = this.#at;
    const end = this.#pattern.indexOf('>', start);
    if (end < 0) throw new PatternError('invalid named capture', this.#pattern.slice(start));
    const name = this.#pattern.slice(start + nameStart, end);
    if (!/^[A-Za-z0-9_]+$/.test(name)) throw new PatternError('invalid named capture', this.#pattern.slice(start, end + 1));
    this.#at = end + 1;
    this.#open(++this.#captures);
  }

  /** `(?i)`, `(?i-s:`. */
  #readFlags(): void {
    const start = this.#at;
    const flags = { ...this.#flags };
    let on = true;
    let isComplete = true;
    this.#at += 2;
    while (this.#at < this.#pattern.length) {
      const char = String.fromCodePoint(this.#nextCodePoint());
      if (char === 'i' || char === 'm' || char === 's' || char === 'U') {
        flags[char] = on;
        isComplete = true;
      } else if (char === '-' && on) {
        on = false;
        isComplete = false;
      } else if ((char === ':' || char === ')') && isComplete) {
        if (char === ':') this.#open(0);
        this.#flags = flags;
        return;
      } else break;
    }
    throw new PatternError('invalid or unsupported Perl syntax', this.#pattern.slice(start, this.#at));
  }

  #closeGroup(): void {
    const sub = this.#closeAlternatives();
    if (this.#frames.length === 1) throw new PatternError('unexpected )', this.#pattern);
    const { capture, outerFlags } = this.#frame;
    this.#frames.pop();
    this.#flags = outerFlags;
    this.#at++;
    this.#push(capture === 0 ? sub : captureNode(sub, capture));
  }

  #closeAlternatives(): Node {
    const { alternatives, items } = this.#frame;
    alternatives.push(this.#checkLimits(concat(items)));
    return this.#checkLimits(alternate(alternatives));
  }

  #readEscape(): void {
    const name = this.#pattern[this.#at + 1] ?? '';
    if (name === 'C') throw new PatternError('invalid escape sequence', '\\C');
    if (name === 'Q') {
      this.#readQuoted();
      return;
    }
    const condition = escapedAssertions.get(name);
    if (condition !== undefined) {
      this.#pushAssertion(condition);
      this.#at += 2;
      return;
    }
    const set = this.#readEscapedClass();
    if (set) this.#push(charsNode(set));
    else this.#pushLiteral(this.#readEscapedChar());
  }

  #readQuoted(): void {
    this.#at += 2;
    const found = this.#pattern.indexOf('\\E', this.#at);
    const end = found < 0 ? this.#pattern.length : found;
    while (this.#at < end) this.#pushLiteral(this.#nextCodePoint());
    this.#at = found < 0 ? end : end + 2;
  }

  /** `\d`, `\PL`, `\p{Greek}`. */
  #readEscapedClass(): CharSet | undefined {
    const name = this.#pattern[this.#at + 1] ?? '';
    if (this.#pattern[this.#at] !== '\\') return undefined;
    if (name === 'p' || name === 'P') return this.#readUnicodeClass(name === 'P');
    const ranges = perlClasses.get(name.toLowerCase());
    if (!ranges) return undefined;
    this.#at += 2;
    return CharSet.ofRanges(ranges, this.#flags.i, name < 'a');
  }

  #readUnicodeClass(isNegated: boolean): CharSet {
    const start = this.#at;
    this.#at += 2;
    const isShort = this.#nextCodePoint() !== 0x7b;
    const end = isShort ? this.#at : this.#pattern.indexOf('}', start) + 1;
    if (end === 0) throw new PatternError('invalid character class range', this.#pattern.slice(start));
    this.#at = end;
    const written = this.#pattern.slice(start + (isShort ? 2 : 3), isShort ? end : end - 1);
    const isFlipped = written.startsWith('^');
    const set = unicodeClass(isFlipped ? written.slice(1) : written, this.#flags.i, isNegated !== isFlipped);
    if (!set) throw new PatternError('invalid character class range', this.#pattern.slice(start, end));
    return set;
  }

  #readEscapedChar(): number {
    const start = this.#at;
    if (start + 1 >= this.#pattern.length) throw new PatternError('trailing backslash at end of expression', '');
    this.#at++;
    const codePoint = this.#nextCodePoint();
    const char = String.fromCodePoint(codePoint);
    if (/[0-7]/.test(char)) {
      const octal = /\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/y;
      octal.lastIndex = start;
      const digits = octal.exec(this.#pattern)?.[0];
      if (digits !== undefined) {
        this.#at = start + digits.length;
        return Number.parseInt(digits.slice(1), 8);
      }
    } else if (char === 'x') {
      const found = this.#readHexadecimal();
      if (found !== undefined) return found;
    } else if (controlEscapes.has(char)) return controlEscapes.get(char) as number;
    else if (codePoint < 0x80 && !/[A-Za-z0-9]/.test(char)) return codePoint;
    throw new PatternError('invalid escape sequence', this.#pattern.slice(start, this.#at));
  }

  /** After `\x`. Stops after an invalid character, which the error then quotes. */
  #readHexadecimal(): number | undefined {
    if (this.#at >= this.#pattern.length) return undefined;
    const first = this.#nextCodePoint();
    if (first !== 0x7b) {
      const [high, low] = [hexDigit(first), hexDigit(this.#nextCodePoint())];
      return high < 0 || low < 0 ? undefined : high * 16 + low;
    }
    let [value, digits] = [0, 0];
    while (this.#at < this.#pattern.length) {
      const next = this.#nextCodePoint();
      if (next === 0x7d) return digits > 0 ? value : undefined;
      if (hexDigit(next) < 0) return undefined;
      value = value * 16 + hexDigit(next);
      digits++;
      if (value > maxCodePoint) return undefined;
    }
    return undefined;
  }

  /** At `[`. */
  #readClass(): CharSet {
    const start = this.#at++;
    const isNegated = this.#pattern[this.#at] === '^';
    if (isNegated) this.#at++;
    const sets: CharSet[] = [];
    const pairs: number[] = [];
    for (let isFirst = true; isFirst || this.#pattern[this.#at] !== ']'; isFirst = false) {
      const set = this.#readPosixClass() ?? this.#readEscapedClass();
      if (set) {
        sets.push(set);
        continue;
      }
      const rangeStart = this.#at;
      const low = this.#readClassChar(start);
      let high = low;
      const next = this.#pattern[this.#at + 1];
      if (this.#pattern[this.#at] === '-' && next !== undefined && next !== ']') {
        this.#at++;
        high = this.#readClassChar(start);
        if (high < low) throw new PatternError('invalid character class range', this.#pattern.slice(rangeStart, this.#at));
      }
      pairs.push(low, high);
    }
    this.#at++;
    if (sets.length === 0 && !this.#flags.i) return CharSet.ofRanges(pairs, false, isNegated);
    return CharSet.union([...sets, CharSet.ofRanges(pairs, this.#flags.i)], isNegated);
  }

  /** `[:alpha:]`, `[:^alpha:]`. */
  #readPosixClass(): CharSet | undefined {
    if (!this.#pattern.startsWith('[:', this.#at)) return undefined;
    // Searched from the end, once: a pattern may have thousands of unclosed openings.
    this.#lastClassEnd ??= this.#pattern.lastIndexOf(':]');
    if (this.#lastClassEnd < this.#at + 2) return undefined;
    const end = this.#pattern.indexOf(':]', this.#at + 2);
    const written = this.#pattern.slice(this.#at + 2, end);
    const isNegated = written.startsWith('^');
    const ranges = posixClasses.get(isNegated ? written.slice(1) : written);
    if (!ranges) throw new PatternError('invalid character class range', `[:${written}:]`);
    this.#at = end + 2;
    return CharSet.ofRanges(ranges, this.#flags.i, isNegated);
  }

  #readClassChar(classStart: number): number {
    if (this.#at >= this.#pattern.length) throw new PatternError('missing closing ]', this.#pattern.slice(classStart));
    return this.#pattern[this.#at] === '\\' ? this.#readEscapedChar() : this.#nextCodePoint();
  }
}

const escapedAssertions: ReadonlyMap<string, number> = new Map([
  ['A', assertion.beginText],
  ['z', assertion.endText],
  ['b', assertion.wordBoundary],
  ['B', assertion.noWordBoundary],
]);

const controlEscapes: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

function hexDigit(codePoint: number): number {
  if (codePoint >= 0x30 && codePoint <= 0x39) return codePoint - 0x30;
  const letter = codePoint | 0x20;
  return codePoint < 0x80 && letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function charsNode(set: CharSet): Node {
  return { op: 'chars', set, nullable: false, height: 1, size: 1, product: 1 };
}

function captureNode(sub: Node, index: number): Node {
  const { nullable, height, size, product } = sub;
  return { op: 'capture', index, sub, nullable, height: height + 1, size: size + 2, product };
}

function repeatNode(sub: Node, min: number, max: number, greedy: boolean): Node {
  const size = max < 0 ? (min === 0 ? 2 + sub.size : 1 + min * sub.size) : max * sub.size + (max - min);
  const count = max < 0 ? min : max;
  return {
    op: 'repeat',
    min,
    max,
    greedy,
    sub,
    nullable: min === 0 || sub.nullable,
    height: sub.height + 1,
    size: Math.max(1, size),
    product: max === 0 ? 1 : Math.max(1, count) * sub.product,
  };
}

function concat(items: readonly Node[]): Node {
  const [first = empty] = items;
  return items.length <= 1 ? first : unionNode('concat', items);
}

/** Adjacent single characters become one set, which reduces the automaton. */
function alternate(alternatives: readonly Node[]): Node {
  const [first = empty] = alternatives;
  if (alternatives.length <= 1) return first;
  const merged: Node[] = [];
  let run: CharSet[] = [];
  const endRun = (): void => {
    if (run.length > 0) merged.push(charsNode(CharSet.union(run)));
    run = [];
  };
  for (const node of alternatives) {
    if (node.op === 'chars' && !node.set.isComplement) run.push(node.set);
    else {
      endRun();
      merged.push(node);
    }
  }
  endRun();
  const [only = empty] = merged;
  return merged.length === 1 ? only : unionNode('alternate', merged);
}

/** Go flattens nested concatenations, so they do not add height. */
function unionNode(op: 'concat' | 'alternate', subs: readonly Node[]): Node {
  let [nullable, height, size, product] = [op === 'concat', 0, op === 'concat' ? 0 : subs.length - 1, 1];
  for (const sub of subs) {
    nullable = op === 'concat' ? nullable && sub.nullable : nullable || sub.nullable;
    height = Math.max(height, sub.op === op ? sub.height : sub.height + 1);
    size += sub.size;
    product = Math.max(product, sub.product);
  }
  return { op, subs, nullable, height, size, product };
}
