import {
  bytesToBase64,
  bytesToBase64Url,
  bytesToHex,
  decodeUtf8,
  formatTime,
  type Json,
  type JsonObject,
  setMember,
} from '../../meta/index.ts';
import { ByteReader, breakByte, CborError, floatOf, type Head, indefinite, majorNames } from './heads.ts';
import { checkWellFormed, problemOfTime, unacceptable } from './well-formed.ts';

export interface DecodedCbor {
  /**
   * The equivalent JSON. Byte strings are text, or base64 or hex behind the tag for it; times behind their tags are RFC 3339; other
   * tags are ignored.
   */
  readonly value: Json;
  /** Type of the outermost item, with upstream's name. */
  readonly outermost: (typeof majorNames)[number];
  /** The first error below the outermost members: upstream finds it after it knows the object's kind. */
  readonly problem: string | undefined;
}

/** Reads one item without trailing bytes. @throws CborError for errors before the object's kind is known */
export function readCbor(bytes: Uint8Array): DecodedCbor {
  checkWellFormed(new ByteReader(bytes));
  const reader = new ValueReader(new ByteReader(bytes));
  const value = reader.read(0);
  return { value, outermost: reader.outermost, problem: reader.problem };
}

/** Text encodings of byte strings, by tag. */
const laterEncodings: ReadonlyMap<bigint, (bytes: Uint8Array) => string> = new Map([
  [21n, bytesToBase64Url],
  [22n, bytesToBase64],
  [23n, bytesToHex],
]);

/** Reads values that are known to be well-formed. */
class ValueReader {
  readonly #reader: ByteReader;
  outermost: DecodedCbor['outermost'] = 'primitives';
  problem: string | undefined;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** `depth` 0 is the outermost value, whose members include kind and apiVersion. */
  read(depth: number, tag?: bigint): Json {
    const head = this.#reader.head();
    if (depth === 0) this.outermost = majorNames[head.major];
    const problem = tag === undefined ? undefined : problemOfTime(tag, head);
    if (problem !== undefined) this.#wrong(problem, depth);
    switch (head.major) {
      case 0:
        return tag === 1n ? timeOf(Number(head.argument)) : this.#integer(head, head.argument, depth);
      case 1:
        return tag === 1n ? timeOf(-1 - Number(head.argument)) : this.#integer(head, -1n - head.argument, depth);
      case 2:
        return this.#byteString(head, tag);
      case 3:
        return this.#text(head, depth);
      case 4:
        return this.#array(head, depth);
      case 5:
        return this.#map(head, depth);
      case 6:
        return this.read(depth, head.argument);
      case 7:
        return this.#primitive(head, tag, depth);
    }
  }

  #wrong(message: string, depth: number): void {
    if (depth === 0) throw new CborError(message);
    this.problem ??= message;
  }

  #content({ info, argument }: Head): Uint8Array {
    if (info !== indefinite) return this.#reader.take(Number(argument));
    const chunks: number[] = [];
    while (this.#reader.peek() !== breakByte) {
      for (const byte of this.#reader.take(Number(this.#reader.head().argument))) chunks.push(byte);
    }
    this.#reader.at++;
    return Uint8Array.from(chunks);
  }

  #byteString(head: Head, tag: bigint | undefined): string {
    const bytes = this.#content(head);
    const encode = tag === undefined ? undefined : laterEncodings.get(tag);
    return encode ? encode(bytes) : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  #text(head: Head, depth: number): string {
    const text = decodeUtf8(this.#content(head));
    if (text === undefined) this.#wrong('cbor: invalid UTF-8 string', depth);
    return text ?? '';
  }

  #isOver({ info, argument }: Head, done: number): boolean {
    if (info !== indefinite) return done === Number(argument);
    const over = this.#reader.peek() === breakByte;
    if (over) this.#reader.at++;
    return over;
  }

  #array(head: Head, depth: number): Json {
    const items: Json[] = [];
    while (!this.#isOver(head, items.length)) items.push(this.read(depth + 1));
    return items;
  }

  #map(head: Head, depth: number): JsonObject {
    const members: Record<string, Json> = {};
    for (let index = 0; !this.#isOver(head, index); index++) {
      const name = this.#name(depth);
      if (Object.hasOwn(members, name)) {
        this.#wrong(`cbor: found duplicate map key ${JSON.stringify(name)} at map element index ${index}`, depth);
      }
      setMember(members, name, this.read(depth + 1));
    }
    return members;
  }

  #name(depth: number): string {
    const major = majorNames[(this.#reader.peek() >> 5) as Head['major']];
    const name = this.read(depth + 1);
    if (typeof name === 'string') return name;
    if (name !== null) this.#wrong(`cbor: cannot unmarshal ${major} into Go value of type string`, depth);
    return '';
  }

  #integer({ major }: Head, value: bigint, depth: number): number | bigint {
    if (BigInt.asIntN(64, value) !== value) {
      this.#wrong(`cbor: cannot unmarshal ${majorNames[major]} into Go value of type int64 (${value} overflows Go's int64)`, depth);
    }
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }

  #primitive(head: Head, tag: bigint | undefined, depth: number): Json {
    if (head.info >= 25) return tag === 1n ? timeOf(floatOf(head)) : floatOf(head);
    if (head.argument === 20n || head.argument === 21n) return head.argument === 21n;
    if (head.argument !== 22n) this.#wrong(unacceptable(`simple value ${head.argument} is not recognized`), depth);
    return null;
  }
}

/** Seconds since 1970. */
function timeOf(seconds: number): string {
  return formatTime(seconds * 1000);
}
