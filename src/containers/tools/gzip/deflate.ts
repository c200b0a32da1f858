import { crc32 } from './crc32.ts';
import { distanceBases, distanceExtras, endOfBlock, lengthBases, lengthExtras, windowBytes } from './huffman.ts';

const minMatch = 3;
const maxMatch = 258;

/** Earlier places with the same bytes that are tried for a match. */
const maxTries = 32;
const hashBits = 15;

class BitWriter {
  #buffer = new Uint8Array(1024);
  #size = 0;
  #bits = 0;
  #count = 0;

  /** At most 16 bits, the lowest first. */
  bits(value: number, count: number): void {
    this.#bits |= value << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.byte(this.#bits & 255);
      this.#bits >>>= 8;
      this.#count -= 8;
    }
  }

  align(): void {
    if (this.#count > 0) this.byte(this.#bits & 255);
    this.#bits = 0;
    this.#count = 0;
  }

  byte(value: number): void {
    if (this.#size === this.#buffer.length) {
      const larger = new Uint8Array(this.#size * 2);
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer[this.#size++] = value;
  }

  /** The whole bytes since the last call. */
  take(): Uint8Array {
    const bytes = this.#buffer.slice(0, this.#size);
    this.#size = 0;
    return bytes;
  }
}

/** A code of a block with fixed codes, whose bits are written from the highest. */
function writeSymbol(symbol: number, writer: BitWriter): void {
  if (symbol < 144) writeReversed(0x30 + symbol, 8, writer);
  else if (symbol < 256) writeReversed(0x190 + symbol - 144, 9, writer);
  else if (symbol < 280) writeReversed(symbol - 256, 7, writer);
  else writeReversed(0xc0 + symbol - 280, 8, writer);
}

function writeReversed(code: number, length: number, writer: BitWriter): void {
  let reversed = 0;
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
  writer.bits(reversed, length);
}

const lastAtMost = (bases: readonly number[], value: number): number => bases.findLastIndex((base) => base <= value);

function writeMatch(length: number, distance: number, writer: BitWriter): void {
  const code = lastAtMost(lengthBases, length);
  writeSymbol(257 + code, writer);
  writer.bits(length - (lengthBases[code] ?? 0), lengthExtras[code] ?? 0);
  const distanceCode = lastAtMost(distanceBases, distance);
  writeReversed(distanceCode, 5, writer);
  writer.bits(distance - (distanceBases[distanceCode] ?? 0), distanceExtras[distanceCode] ?? 0);
}

/** Finds the longest match of a place among those before it with the same hash. */
class MatchFinder {
  readonly #bytes: Uint8Array;
  readonly #heads = new Int32Array(1 << hashBits).fill(-1);
  readonly #previous: Int32Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#previous = new Int32Array(bytes.length);
  }

  #hash(at: number): number {
    const bytes = this.#bytes;
    return Math.imul(((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0), 0x9e3779b1) >>> (32 - hashBits);
  }

  /** Remembers a place for later matches. */
  insert(at: number): void {
    if (at + minMatch > this.#bytes.length) return;
    const hash = this.#hash(at);
    this.#previous[at] = this.#heads[hash] ?? -1;
    this.#heads[hash] = at;
  }

  /** The length is 0 where there is no match. */
  find(at: number): { readonly length: number; readonly distance: number } {
    let best = { length: 0, distance: 0 };
    if (at + minMatch > this.#bytes.length) return best;
    let from = this.#heads[this.#hash(at)] ?? -1;
    for (let tries = 0; tries < maxTries && from >= 0 && at - from <= windowBytes; tries++) {
      const length = this.#lengthOf(from, at);
      if (length > best.length) best = { length, distance: at - from };
      from = this.#previous[from] ?? -1;
    }
    return best.length < minMatch ? { length: 0, distance: 0 } : best;
  }

  #lengthOf(from: number, at: number): number {
    let length = 0;
    while (length < maxMatch && at + length < this.#bytes.length && this.#bytes[from + length] === this.#bytes[at + length]) length++;
    return length;
  }
}

/** A block with the fixed codes; matches are found within the block. */
function writeBlock(bytes: Uint8Array, writer: BitWriter, isLast: boolean): void {
  writer.bits(isLast ? 1 : 0, 1);
  writer.bits(1, 2);
  const matches = new MatchFinder(bytes);
  for (let at = 0; at < bytes.length; ) {
    const { length, distance } = matches.find(at);
    if (length > 0) writeMatch(length, distance, writer);
    else writeSymbol(bytes[at] ?? 0, writer);
    for (const end = at + Math.max(1, length); at < end; at++) matches.insert(at);
  }
  writeSymbol(endOfBlock, writer);
}

/** Compresses pieces as one member of a gzip file, without a name and a time. */
export async function* gzip(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const writer = new BitWriter();
  for (const byte of [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]) writer.byte(byte);
  let [crc, size]: [number, number] = [0, 0];
  let before: Uint8Array | undefined;
  for await (const piece of pieces) {
    crc = crc32(piece, crc);
    size += piece.length;
    if (before) writeBlock(before, writer, false);
    // The piece may be changed by its owner before it is written.
    before = piece.slice();
    yield writer.take();
  }
  writeBlock(before ?? new Uint8Array(), writer, true);
  writer.align();
  for (const value of [crc, size]) for (let at = 0; at < 4; at++) writer.byte(Math.floor(value / 256 ** at) % 256);
  yield writer.take();
}
