import { goQuoteRune } from './go-quote.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** The result of strict decoding. */
export interface ParsedJson {
  readonly value: Json;
  /** Duplicate members, each once, in document order; at most `maxStrictErrors`. */
  readonly duplicates: readonly DuplicateMember[];
  /** Number literals that differ from their canonical form. */
  readonly literals: NumberLiterals;
}

export interface DuplicateMember {
  /** `metadata.labels.app`, `spec.ports[0].name`. */
  readonly path: string;
  /** The path in parts: `.spec`, `.ports`, `[0]`, `.name`. */
  readonly steps: readonly string[];
  /** Offset of the second occurrence of its name in the text. */
  readonly offset: number;
}

/** Maximum number of strict decoding errors (cf. sigs.k8s.io/json saveStrictError). */
export const maxStrictErrors = 100;

/** Number literals that differ from their canonical form (`1.0`, `1e3`): container → member or index → text. */
export type NumberLiterals = ReadonlyMap<object, ReadonlyMap<string | number, string>>;

/** Invalid JSON; the message is that of Go's decoder. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** The nesting limit of Go's decoder. */
const maxDepth = 10_000;

/** Integers of more digits are parsed as doubles, which overflow anyway: parsing a bigint takes quadratic time. */
const longestExact = 400;

type Members = Record<string, Json>;

interface OpenObject {
  readonly kind: 'object';
  readonly into: Members;
  /** The enclosing container, for the path of a duplicate. */
  readonly parent: OpenContainer | undefined;
  key: string;
  /** The previous value under `key`, to merge with. */
  before: Json | undefined;
  /** Names read so far, when `into` already has the members of an earlier object. */
  readonly seen: Set<string> | undefined;
  place: PathNode | undefined;
}

interface OpenArray {
  readonly kind: 'array';
  readonly into: Json[];
  readonly parent: OpenContainer | undefined;
  place: PathNode | undefined;
}

type OpenContainer = OpenObject | OpenArray;

/** A path in the document. Members with the same path share one instance, so that each path is built once. */
class PathNode {
  readonly #parent: PathNode | undefined;
  readonly #step: string;
  readonly #below = new Map<string, PathNode>();
  isDuplicate = false;

  constructor(parent?: PathNode, step = '') {
    this.#parent = parent;
    this.#step = step;
  }

  at(step: string): PathNode {
    const known = this.#below.get(step);
    if (known) return known;
    const place = new PathNode(this, step);
    this.#below.set(step, place);
    return place;
  }

  get steps(): readonly string[] {
    const steps: string[] = [];
    for (let place: PathNode = this; place.#parent; place = place.#parent) steps.push(place.#step);
    return steps.reverse();
  }
}

/**
 * Parses JSON as the real server does: integers beyond 2^53 stay exact (bigint), every duplicate member is reported (the last one wins),
 * `__proto__` is an ordinary member, nesting is limited to 10,000. Works without recursion, so that a hostile body cannot overflow the
 * stack.
 *
 * @throws JsonSyntaxError
 */
export function parseJson(text: string, repeated: DuplicateObjectMode = 'replaced'): ParsedJson {
  return new JsonReader(text, 'text', repeated).readAll();
}

/** Returns undefined for a text that is no JSON. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return parseJson(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The objects of a JSON list; none for any other text. */
export function parseJsonObjects(text: string): readonly JsonObject[] {
  const list = tryParseJson(text);
  return Array.isArray(list) && list.every(isJsonObject) ? list : [];
}

/** How a repeated object affects the earlier one: Go decodes it into the same struct, or replaces it in a plain map. */
export type DuplicateObjectMode = 'merged' | 'replaced';

/** Parses bytes. Errors then show the byte at which parsing stopped, as in Go. @throws JsonSyntaxError */
export function parseJsonBytes(bytes: Uint8Array, repeated: DuplicateObjectMode = 'replaced'): ParsedJson {
  try {
    // A byte order mark is a syntax error.
    return parseJson(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), repeated);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return new JsonReader(byteText(bytes), 'bytes', repeated).readAll();
  }
}

/** Maps each byte to one character. */
function byteText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

/** Number of values to parse before yielding to the event loop: some 10 ms. */
const valuesPerTurn = 50_000;

/**
 * `parseJsonBytes` for request bodies: awaits `pause` regularly, so that a large text does not block the event loop.
 * @throws JsonSyntaxError
 */
export async function parseJsonBytesAsync(
  bytes: Uint8Array,
  repeated: DuplicateObjectMode,
  pause: () => Promise<void> | undefined,
): Promise<ParsedJson> {
  try {
    return await readAsync(new JsonReader(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), 'text', repeated), pause);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    await pause();
    return readAsync(new JsonReader(byteText(bytes), 'bytes', repeated), pause);
  }
}

async function readAsync(reader: JsonReader, pause: () => Promise<void> | undefined): Promise<ParsedJson> {
  for (;;) {
    const parsed = reader.read(valuesPerTurn);
    if (parsed) return parsed;
    await pause();
  }
}

class JsonReader {
  readonly #text: string;
  readonly #of: 'text' | 'bytes';
  readonly #merges: boolean;
  readonly #duplicates: DuplicateMember[] = [];
  readonly #root = new PathNode();
  readonly #literals = new Map<object, Map<string | number, string>>();
  #at = 0;
  /** The innermost open container, and its depth. */
  #open: OpenContainer | undefined;
  #depth = 0;
  /** The literal of the last number, when it differs from the canonical form. */
  #literal: string | undefined;

  constructor(text: string, of: 'text' | 'bytes', repeated: DuplicateObjectMode) {
    this.#text = text;
    this.#of = of;
    this.#merges = repeated === 'merged';
  }

  readAll(): ParsedJson {
    for (;;) {
      const parsed = this.read(Number.POSITIVE_INFINITY);
      if (parsed) return parsed;
    }
  }

  /** Continues for at most `maxValues` values; returns undefined when the document has more. */
  read(maxValues: number): ParsedJson | undefined {
    // Each iteration starts at a value.
    for (let values = 0; values < maxValues; values++) {
      this.#skipSpace();
      const opener = this.#text[this.#at];
      let value: Json;
      if (opener === '{' || opener === '[') {
        const container = this.#openContainer(opener);
        if (container === undefined) continue;
        value = container;
      } else value = this.#readScalar();
      const root = this.#addValue(value);
      if (root !== undefined) return this.#finish(root);
    }
    return undefined;
  }

  /** Opens an object or list, up to its first value; returns it when it is empty. */
  #openContainer(opener: '{' | '['): Json | undefined {
    if (this.#depth === maxDepth) throw new JsonSyntaxError(`invalid character '${opener}' exceeded max depth`);
    this.#at++;
    const parent = this.#open;
    const container: OpenContainer = opener === '{' ? this.#openObject(parent) : { kind: 'array', into: [], parent, place: undefined };
    const isEmpty = container.kind === 'object' ? !this.#readKey(container, true) : this.#tryClose(']');
    if (isEmpty) return container.into;
    this.#open = container;
    this.#depth++;
    return undefined;
  }

  /** Adds a complete value to its container, and closes the containers that end after it; returns the root when it is complete. */
  #addValue(value: Json): Json | undefined {
    let complete = value;
    let open = this.#open;
    for (; open; open = open.parent) {
      this.#put(open, complete);
      if (this.#advance(open)) break;
      complete = open.into;
      this.#depth--;
    }
    this.#open = open;
    return open ? undefined : complete;
  }

  #finish(value: Json): ParsedJson {
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpectedTokenError('after top-level value');
    return { value, duplicates: this.#duplicates, literals: this.#literals };
  }

  #openObject(parent: OpenContainer | undefined): OpenObject {
    const earlier = parent?.kind === 'object' ? parent.before : undefined;
    const merges = this.#merges && isJsonObject(earlier);
    // Nothing else refers to the earlier object, so it is extended in place: a copy for each repetition would take quadratic time.
    const into = merges ? (earlier as Members) : {};
    return { kind: 'object', into, parent, key: '', before: undefined, seen: merges ? new Set() : undefined, place: undefined };
  }

  /** Reads `"key":`; returns false when the object closes instead (allowed only before the first member). */
  #readKey(object: OpenObject, first: boolean): boolean {
    this.#skipSpace();
    if (first && this.#text[this.#at] === '}') {
      this.#at++;
      return false;
    }
    if (this.#text[this.#at] !== '"') throw this.#unexpectedTokenError('looking for beginning of object key string');
    const offset = this.#at;
    object.key = this.#readString();
    this.#skipSpace();
    if (this.#text[this.#at] !== ':') throw this.#unexpectedTokenError('after object key');
    this.#at++;
    const there = Object.hasOwn(object.into, object.key);
    object.before = there ? object.into[object.key] : undefined;
    if (there && (object.seen?.has(object.key) ?? true)) this.#noteDuplicate(object, offset);
    object.seen?.add(object.key);
    return true;
  }

  #noteDuplicate(object: OpenObject, offset: number): void {
    if (this.#duplicates.length >= maxStrictErrors) return;
    const place = this.#placeOf(object).at(`.${object.key}`);
    if (place.isDuplicate) return;
    place.isDuplicate = true;
    const { steps } = place;
    this.#duplicates.push({ path: joinSteps(steps), steps, offset });
  }

  #placeOf(container: OpenContainer): PathNode {
    const unplaced: OpenContainer[] = [];
    let at: OpenContainer | undefined = container;
    for (; at && !at.place; at = at.parent) unplaced.push(at);
    let place = at?.place;
    for (const next of unplaced.reverse()) {
      const { parent } = next;
      place = parent && place ? place.at(parent.kind === 'object' ? `.${parent.key}` : `[${parent.into.length}]`) : this.#root;
      next.place = place;
    }
    return place ?? this.#root;
  }

  #put(open: OpenContainer, value: Json): void {
    if (this.#literal !== undefined) this.#noteLiteral(open);
    if (open.kind === 'array') open.into.push(value);
    else if (open.key === '__proto__')
      Object.defineProperty(open.into, open.key, { value, writable: true, enumerable: true, configurable: true });
    else open.into[open.key] = value;
  }

  #noteLiteral(open: OpenContainer): void {
    let known = this.#literals.get(open.into);
    if (!known) {
      known = new Map();
      this.#literals.set(open.into, known);
    }
    known.set(open.kind === 'array' ? open.into.length : open.key, this.#literal ?? '');
    this.#literal = undefined;
  }

  /** After a value: returns true when another one follows in `open`, false when it closed. */
  #advance(open: OpenContainer): boolean {
    this.#skipSpace();
    const next = this.#text[this.#at];
    if (next === ',') {
      this.#at++;
      if (open.kind === 'object') this.#readKey(open, false);
      return true;
    }
    if (next === (open.kind === 'object' ? '}' : ']')) {
      this.#at++;
      return false;
    }
    throw this.#unexpectedTokenError(open.kind === 'object' ? 'after object key:value pair' : 'after array element');
  }

  #tryClose(closer: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== closer) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #readScalar(): Json {
    const first = this.#text[this.#at];
    if (first === '"') return this.#readString();
    if (first === 't') return this.#readLiteral('true', true);
    if (first === 'f') return this.#readLiteral('false', false);
    if (first === 'n') return this.#readLiteral('null', null);
    if (first !== undefined && (first === '-' || (first >= '0' && first <= '9'))) return this.#readNumber();
    throw this.#unexpectedTokenError('looking for beginning of value');
  }

  #readLiteral(word: string, value: Json): Json {
    for (let i = 1; i < word.length; i++) {
      if (this.#text[this.#at + i] === word[i]) continue;
      this.#at += i;
      throw this.#unexpectedTokenError(`in literal ${word} (expecting '${word[i]}')`);
    }
    this.#at += word.length;
    return value;
  }

  #readNumber(): Json {
    const small = this.#readSmallInteger();
    if (small !== undefined) return small;
    const match = matchNumber(this.#text, this.#at);
    if (match === undefined) {
      this.#at++;
      throw this.#unexpectedTokenError('in numeric literal');
    }
    this.#at += match.length;
    const next = this.#text[this.#at];
    if (next === '.' || next === 'e' || next === 'E') {
      this.#at++;
      throw this.#unexpectedTokenError(next === '.' ? 'after decimal point in numeric literal' : 'in exponent of numeric literal');
    }
    const value = Number(match);
    if (match.length > longestExact || (String(value) !== match && !/^-?\d+$/.test(match))) this.#literal = match;
    if (Number.isSafeInteger(value) || match.length > longestExact || /[.eE]/.test(match)) return Object.is(value, -0) ? 0 : value;
    return BigInt(match);
  }

  /** Fast path: most numbers are non-negative integers of few digits and need no pattern. */
  #readSmallInteger(): number | undefined {
    const text = this.#text;
    const start = this.#at;
    let value = 0;
    for (let at = start; at < start + 15; at++) {
      const code = text.charCodeAt(at);
      if (code >= 0x30 && code <= 0x39) {
        if (at > start && value === 0) return undefined;
        value = value * 10 + code - 0x30;
        continue;
      }
      if (at === start || code === 0x2e || code === 0x65 || code === 0x45) return undefined;
      this.#at = at;
      return value;
    }
    return undefined;
  }

  #readString(): string {
    const text = this.#text;
    const start = this.#at + 1;
    let at = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return text.slice(start, at);
      }
      if (code === 0x5c) return this.#readEscapedString(start, at);
      if (!(code >= 0x20)) {
        this.#at = at;
        throw this.#unexpectedTokenError('in string literal');
      }
      at++;
    }
  }

  /** The engine decodes escapes at once; only invalid strings are scanned character by character. */
  #readEscapedString(start: number, firstEscape: number): string {
    const text = this.#text;
    let end = firstEscape;
    for (let code = text.charCodeAt(end); code !== 0x22 && end < text.length; code = text.charCodeAt(end)) end += code === 0x5c ? 2 : 1;
    try {
      const read = JSON.parse(text.slice(start - 1, end + 1)) as string;
      this.#at = end + 1;
      // A lone surrogate becomes U+FFFD, as in Go.
      return read.isWellFormed() ? read : read.toWellFormed();
    } catch {
      throw this.#stringError(firstEscape);
    }
  }

  /** Finds the syntax error of a string, from its first escape on. */
  #stringError(firstEscape: number): JsonSyntaxError {
    const text = this.#text;
    this.#at = firstEscape;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (!(code >= 0x20)) return this.#unexpectedTokenError('in string literal');
      this.#at++;
      if (code !== 0x5c) continue;
      const escaped = text[this.#at] ?? '';
      if (!/["\\/bfnrtu]/.test(escaped)) return this.#unexpectedTokenError('in string escape code');
      const end = ++this.#at + 4;
      if (escaped !== 'u') continue;
      while (this.#at < end && /[0-9a-fA-F]/.test(text[this.#at] ?? '')) this.#at++;
      if (this.#at < end) return this.#unexpectedTokenError('in \\u hexadecimal character escape');
    }
  }

  #unexpectedTokenError(where: string): JsonSyntaxError {
    const character = this.#text.codePointAt(this.#at);
    if (character === undefined) {
      // At the end of the input Go reports an additional space, except inside of literals and numbers.
      const message =
        where !== 'in string literal' && /literal|escape/.test(where) ? `invalid character ' ' ${where}` : 'unexpected end of JSON input';
      return new JsonSyntaxError(message);
    }
    // Go reads bytes, and shows the first byte of a multi-byte character as a character.
    const [shown = character] = this.#of === 'bytes' ? [character] : new TextEncoder().encode(String.fromCodePoint(character));
    return new JsonSyntaxError(`invalid character ${goQuoteRune(String.fromCodePoint(shown))} ${where}`);
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function matchNumber(text: string, at: number): string | undefined {
  numberPattern.lastIndex = at;
  return numberPattern.exec(text)?.[0];
}

function joinSteps(steps: readonly string[]): string {
  return steps.join('').replace(/^\./, '');
}
