import { goQuoteRune } from './go-quote.ts';
import { isJsonObject, type Json } from './json.ts';

/** What a strict reader notes besides the value. */
export interface ParsedJson {
  readonly value: Json;
  /** Members that came twice, each once, in document order; at most `maxStrictErrors`. */
  readonly duplicates: readonly DuplicateMember[];
  /** Numbers that were spelled otherwise than they print. */
  readonly literals: NumberLiterals;
}

export interface DuplicateMember {
  /** `metadata.labels.app`, `spec.ports[0].name`. */
  readonly path: string;
  /** The same in parts: `.spec`, `.ports`, `[0]`, `.name`. */
  readonly steps: readonly string[];
  /** Where its name stands for the second time in the text. */
  readonly offset: number;
}

/** A strict reader collects no more than this (cf. sigs.k8s.io/json saveStrictError). */
export const maxStrictErrors = 100;

/** Number texts that print otherwise than they were written (`1.0`, `1e3`): container → member or index → text. */
export type NumberLiterals = ReadonlyMap<object, ReadonlyMap<string | number, string>>;

/** Text that is no JSON, told in the words of Go's decoder. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** As deep as Go's decoder goes. */
const maxDepth = 10_000;

/** Whole numbers of more digits are read as doubles, for which they are too large anyway: exact ones take quadratic time. */
const longestExact = 400;

type Members = Record<string, Json>;

interface OpenObject {
  readonly kind: 'object';
  readonly into: Members;
  /** Where this container stands, for the path of a duplicate. */
  readonly parent: Container | undefined;
  key: string;
  /** The value that stood under `key` before, to be merged with. */
  before: Json | undefined;
  /** Names met so far, where `into` began with those of an earlier object. */
  readonly seen: Set<string> | undefined;
  place: Place | undefined;
}

interface OpenArray {
  readonly kind: 'array';
  readonly into: Json[];
  readonly parent: Container | undefined;
  place: Place | undefined;
}

type Container = OpenObject | OpenArray;

/** A path that was met: one for all members that share it, so that a path is built once however often it comes. */
class Place {
  readonly #parent: Place | undefined;
  readonly #step: string;
  readonly #below = new Map<string, Place>();
  isDuplicate = false;

  constructor(parent?: Place, step = '') {
    this.#parent = parent;
    this.#step = step;
  }

  at(step: string): Place {
    const known = this.#below.get(step);
    if (known) return known;
    const place = new Place(this, step);
    this.#below.set(step, place);
    return place;
  }

  get steps(): readonly string[] {
    const steps: string[] = [];
    for (let place: Place = this; place.#parent; place = place.#parent) steps.push(place.#step);
    return steps.reverse();
  }
}

/**
 * Reads JSON as the real server does: whole numbers beyond 2^53 stay exact (bigint), every duplicate member is told (the last
 * one stays), `__proto__` is a member like others, nesting ends at 10,000.
 * Without recursion, so that a hostile body cannot overflow the stack.
 *
 * @throws JsonSyntaxError
 */
export function parseJson(text: string, repeated: RepeatedObjects = 'replaced'): ParsedJson {
  return new JsonReader(text, 'text', repeated).readAll();
}

/** What an object that comes twice in another does to the first: Go decodes it into the same struct, or replaces it in a plain map. */
export type RepeatedObjects = 'merged' | 'replaced';

/** The same of bytes: errors then show the very byte at which reading stopped, as Go does. @throws JsonSyntaxError */
export function parseJsonBytes(bytes: Uint8Array, repeated: RepeatedObjects = 'replaced'): ParsedJson {
  try {
    // A byte order mark is no JSON.
    return parseJson(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), repeated);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return new JsonReader(byteText(bytes), 'bytes', repeated).readAll();
  }
}

/** One character a byte. */
function byteText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

/** How many values are read before others may get their turn: some 10 ms. */
const valuesInTurn = 50_000;

/**
 * `parseJsonBytes` for bodies of requests: awaits `pause` every now and then, so that a large text does not block the event loop.
 * @throws JsonSyntaxError
 */
export async function parseJsonBytesInTurns(
  bytes: Uint8Array,
  repeated: RepeatedObjects,
  pause: () => Promise<void> | undefined,
): Promise<ParsedJson> {
  try {
    return await readInTurns(new JsonReader(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), 'text', repeated), pause);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    await pause();
    return readInTurns(new JsonReader(byteText(bytes), 'bytes', repeated), pause);
  }
}

async function readInTurns(reader: JsonReader, pause: () => Promise<void> | undefined): Promise<ParsedJson> {
  for (;;) {
    const parsed = reader.read(valuesInTurn);
    if (parsed) return parsed;
    await pause();
  }
}

class JsonReader {
  readonly #text: string;
  readonly #of: 'text' | 'bytes';
  readonly #merges: boolean;
  readonly #duplicates: DuplicateMember[] = [];
  readonly #root = new Place();
  readonly #literals = new Map<object, Map<string | number, string>>();
  #at = 0;
  /** The innermost container that is being read, and how deep it is. */
  #open: Container | undefined;
  #depth = 0;
  /** Of the number just read, when it prints otherwise. */
  #literal: string | undefined;

  constructor(text: string, of: 'text' | 'bytes', repeated: RepeatedObjects) {
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

  /** Reads on for at most so many values; undefined when there are more of them. */
  read(maxValues: number): ParsedJson | undefined {
    let open = this.#open;
    let depth = this.#depth;
    let result: Json | undefined;
    // Each turn begins where a value is expected.
    for (let values = 0; ; values++) {
      if (values === maxValues) {
        this.#open = open;
        this.#depth = depth;
        return undefined;
      }
      this.#skipSpace();
      const opener = this.#text[this.#at];
      let value: Json;
      if (opener === '{' || opener === '[') {
        if (++depth > maxDepth) throw new JsonSyntaxError(`invalid character '${opener}' exceeded max depth`);
        this.#at++;
        const next =
          opener === '{' ? this.#openObject(open) : ({ kind: 'array', into: [], parent: open, place: undefined } satisfies OpenArray);
        const closed = next.kind === 'object' ? !this.#readKey(next, true) : this.#closes(']');
        if (!closed) {
          open = next;
          continue;
        }
        depth--;
        value = next.into;
      } else value = this.#scalar();
      // The value is whole: put it where it belongs, and close what ends after it.
      for (;;) {
        if (!open) {
          result = value;
          break;
        }
        this.#put(open, value);
        if (this.#continues(open)) break;
        value = open.into;
        open = open.parent;
        depth--;
      }
      if (result !== undefined) break;
    }
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value');
    return { value: result, duplicates: this.#duplicates, literals: this.#literals };
  }

  #openObject(parent: Container | undefined): OpenObject {
    const earlier = parent?.kind === 'object' ? parent.before : undefined;
    const merges = this.#merges && isJsonObject(earlier);
    // Nothing else refers to the earlier object, so it can grow in place: a copy for each repetition would take quadratic time.
    const into = merges ? (earlier as Members) : {};
    return { kind: 'object', into, parent, key: '', before: undefined, seen: merges ? new Set() : undefined, place: undefined };
  }

  /** Reads `"key":`; false when the object closes instead (allowed only before the first member). */
  #readKey(object: OpenObject, first: boolean): boolean {
    this.#skipSpace();
    if (first && this.#text[this.#at] === '}') {
      this.#at++;
      return false;
    }
    if (this.#text[this.#at] !== '"') throw this.#unexpected('looking for beginning of object key string');
    const offset = this.#at;
    object.key = this.#string();
    this.#skipSpace();
    if (this.#text[this.#at] !== ':') throw this.#unexpected('after object key');
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
    this.#duplicates.push({ path: pathOfSteps(steps), steps, offset });
  }

  #placeOf(container: Container): Place {
    const unplaced: Container[] = [];
    let at: Container | undefined = container;
    for (; at && !at.place; at = at.parent) unplaced.push(at);
    let place = at?.place;
    for (const next of unplaced.reverse()) {
      const { parent } = next;
      place = parent && place ? place.at(parent.kind === 'object' ? `.${parent.key}` : `[${parent.into.length}]`) : this.#root;
      next.place = place;
    }
    return place ?? this.#root;
  }

  #put(open: Container, value: Json): void {
    if (this.#literal !== undefined) this.#noteLiteral(open);
    if (open.kind === 'array') open.into.push(value);
    else if (open.key === '__proto__')
      Object.defineProperty(open.into, open.key, { value, writable: true, enumerable: true, configurable: true });
    else open.into[open.key] = value;
  }

  #noteLiteral(open: Container): void {
    let known = this.#literals.get(open.into);
    if (!known) {
      known = new Map();
      this.#literals.set(open.into, known);
    }
    known.set(open.kind === 'array' ? open.into.length : open.key, this.#literal ?? '');
    this.#literal = undefined;
  }

  /** After a value: true when another one follows in `open`, false when it closed. */
  #continues(open: Container): boolean {
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
    throw this.#unexpected(open.kind === 'object' ? 'after object key:value pair' : 'after array element');
  }

  #closes(closer: string): boolean {
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

  #scalar(): Json {
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === 't') return this.#word('true', true);
    if (first === 'f') return this.#word('false', false);
    if (first === 'n') return this.#word('null', null);
    if (first !== undefined && (first === '-' || (first >= '0' && first <= '9'))) return this.#number();
    throw this.#unexpected('looking for beginning of value');
  }

  #word(word: string, value: Json): Json {
    for (let i = 1; i < word.length; i++) {
      if (this.#text[this.#at + i] === word[i]) continue;
      this.#at += i;
      throw this.#unexpected(`in literal ${word} (expecting '${word[i]}')`);
    }
    this.#at += word.length;
    return value;
  }

  #number(): Json {
    const small = this.#smallInteger();
    if (small !== undefined) return small;
    const match = numberAt(this.#text, this.#at);
    if (match === undefined) {
      this.#at++;
      throw this.#unexpected('in numeric literal');
    }
    this.#at += match.length;
    const next = this.#text[this.#at];
    if (next === '.' || next === 'e' || next === 'E') {
      this.#at++;
      throw this.#unexpected(next === '.' ? 'after decimal point in numeric literal' : 'in exponent of numeric literal');
    }
    const value = Number(match);
    if (match.length > longestExact || (String(value) !== match && !/^-?\d+$/.test(match))) this.#literal = match;
    if (Number.isSafeInteger(value) || match.length > longestExact || /[.eE]/.test(match)) return Object.is(value, -0) ? 0 : value;
    return BigInt(match);
  }

  /** Most numbers are whole, positive and of few digits: those need no pattern. */
  #smallInteger(): number | undefined {
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

  #string(): string {
    const text = this.#text;
    const start = this.#at + 1;
    let at = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return text.slice(start, at);
      }
      if (code === 0x5c) return this.#escapedString(start, at);
      if (!(code >= 0x20)) {
        this.#at = at;
        throw this.#unexpected('in string literal');
      }
      at++;
    }
  }

  /** The engine reads escapes at once; only what is wrong is looked for one by one. */
  #escapedString(start: number, firstEscape: number): string {
    const text = this.#text;
    let end = firstEscape;
    for (let code = text.charCodeAt(end); code !== 0x22 && end < text.length; code = text.charCodeAt(end)) end += code === 0x5c ? 2 : 1;
    try {
      const read = JSON.parse(text.slice(start - 1, end + 1)) as string;
      this.#at = end + 1;
      // A lone surrogate becomes U+FFFD, as in Go.
      return read.isWellFormed() ? read : read.toWellFormed();
    } catch {
      throw this.#wrongString(firstEscape);
    }
  }

  /** Of a string that is not read, from its first escape on. */
  #wrongString(firstEscape: number): JsonSyntaxError {
    const text = this.#text;
    this.#at = firstEscape;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (!(code >= 0x20)) return this.#unexpected('in string literal');
      this.#at++;
      if (code !== 0x5c) continue;
      const escaped = text[this.#at] ?? '';
      if (!/["\\/bfnrtu]/.test(escaped)) return this.#unexpected('in string escape code');
      const end = ++this.#at + 4;
      if (escaped !== 'u') continue;
      while (this.#at < end && /[0-9a-fA-F]/.test(text[this.#at] ?? '')) this.#at++;
      if (this.#at < end) return this.#unexpected('in \\u hexadecimal character escape');
    }
  }

  #unexpected(where: string): JsonSyntaxError {
    const character = this.#text.codePointAt(this.#at);
    if (character === undefined) {
      // Go tells the end by a space after it, which is wrong inside of words and numbers.
      const said =
        where !== 'in string literal' && /literal|escape/.test(where) ? `invalid character ' ' ${where}` : 'unexpected end of JSON input';
      return new JsonSyntaxError(said);
    }
    // Go reads bytes, and shows the first of a longer character as if it were one.
    const [shown = character] = this.#of === 'bytes' ? [character] : new TextEncoder().encode(String.fromCodePoint(character));
    return new JsonSyntaxError(`invalid character ${goQuoteRune(String.fromCodePoint(shown))} ${where}`);
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function numberAt(text: string, at: number): string | undefined {
  numberPattern.lastIndex = at;
  return numberPattern.exec(text)?.[0];
}

function pathOfSteps(steps: readonly string[]): string {
  return steps.join('').replace(/^\./, '');
}
