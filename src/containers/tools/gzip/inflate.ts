import { BitReader, GzipError } from './bit-reader.ts';
import { crc32 } from './crc32.ts';
import {
  distanceBases,
  distanceExtras,
  endOfBlock,
  fixedDistanceLengths,
  fixedLengths,
  lengthBases,
  lengthExtras,
  windowBytes,
} from './huffman.ts';

/** Bytes of the input that one step needs at most: a symbol, or the head of a block with its codes. */
const stepBytes = 512;

/** Of the header of a member, with the name of its file and a comment. */
const headerBytes = 16_384;

/** The order in which a block has the lengths of its codes of lengths. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const maxBits = 15;

/** A prefix code: how many codes each length has, and the symbols in their order. */
class PrefixCode {
  readonly #counts = new Uint16Array(maxBits + 1);
  readonly #symbols: Uint16Array;

  constructor(lengths: Uint8Array) {
    this.#symbols = new Uint16Array(lengths.length);
    for (const length of lengths) this.#counts[length] = (this.#counts[length] ?? 0) + 1;
    this.#counts[0] = 0;
    const offsets = new Uint16Array(maxBits + 2);
    for (let length = 1; length <= maxBits; length++) offsets[length + 1] = (offsets[length] ?? 0) + (this.#counts[length] ?? 0);
    for (const [symbol, length] of lengths.entries()) {
      if (length === 0) continue;
      const at = offsets[length] ?? 0;
      this.#symbols[at] = symbol;
      offsets[length] = at + 1;
    }
  }

  read(reader: BitReader): number {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length <= maxBits; length++) {
      code |= reader.bits(1);
      const count = this.#counts[length] ?? 0;
      if (code - first < count) return this.#symbols[index + code - first] ?? 0;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new GzipError('corrupted data');
  }
}

let fixed: Codes | undefined;

interface Codes {
  readonly literals: PrefixCode;
  readonly distances: PrefixCode;
}

function fixedCodes(): Codes {
  fixed ??= { literals: new PrefixCode(fixedLengths), distances: new PrefixCode(fixedDistanceLengths) };
  return fixed;
}

/** How often a length of a code is repeated: 16 repeats the last one, 17 and 18 repeat zeros. */
function readTimes(symbol: number, reader: BitReader): number {
  if (symbol < 16) return 1;
  if (symbol === 16) return 3 + reader.bits(2);
  return symbol === 17 ? 3 + reader.bits(3) : 11 + reader.bits(7);
}

function readCodes(reader: BitReader): Codes {
  const [literals, distances, count] = [reader.bits(5) + 257, reader.bits(5) + 1, reader.bits(4) + 4];
  const ofLengths = new Uint8Array(19);
  for (const symbol of lengthOrder.slice(0, count)) ofLengths[symbol] = reader.bits(3);
  const code = new PrefixCode(ofLengths);
  const lengths = new Uint8Array(literals + distances);
  for (let at = 0; at < lengths.length; ) {
    const symbol = code.read(reader);
    const times = readTimes(symbol, reader);
    if ((symbol === 16 && at === 0) || at + times > lengths.length) throw new GzipError('corrupted data');
    lengths.fill(symbol < 16 ? symbol : symbol === 16 ? (lengths[at - 1] ?? 0) : 0, at, at + times);
    at += times;
  }
  return { literals: new PrefixCode(lengths.subarray(0, literals)), distances: new PrefixCode(lengths.subarray(literals)) };
}

/** The last bytes of the output, to which matches refer, and those that are not written yet. */
class Output {
  #buffer = new Uint8Array(4 * windowBytes);
  #size = 0;
  /** Where the bytes begin that are not written yet. */
  #from = 0;

  get isFull(): boolean {
    return this.#size + 258 > this.#buffer.length;
  }

  add(byte: number): void {
    this.#buffer[this.#size++] = byte;
  }

  repeat(length: number, distance: number): void {
    if (distance > this.#size) throw new GzipError('corrupted data');
    for (let count = 0; count < length; count++) {
      this.#buffer[this.#size] = this.#buffer[this.#size - distance] ?? 0;
      this.#size++;
    }
  }

  /** The bytes since the last call. */
  take(): Uint8Array {
    const bytes = this.#buffer.slice(this.#from, this.#size);
    const retained = Math.min(windowBytes, this.#size);
    this.#buffer.copyWithin(0, this.#size - retained, this.#size);
    this.#size = retained;
    this.#from = retained;
    return bytes;
  }
}

/** The content of one member. */
async function* readBlocks(reader: BitReader, output: Output): AsyncGenerator<Uint8Array> {
  for (let isLast = false; !isLast; ) {
    await reader.fill(stepBytes);
    isLast = reader.bits(1) === 1;
    const type = reader.bits(2);
    if (type === 3) throw new GzipError('corrupted data');
    if (type === 0) yield* readStored(reader, output);
    else yield* readCompressed(reader, output, type === 1 ? fixedCodes() : readCodes(reader));
  }
  yield output.take();
}

async function* readStored(reader: BitReader, output: Output): AsyncGenerator<Uint8Array> {
  reader.align();
  const [length, complement] = [reader.number(2), reader.number(2)];
  if ((length ^ complement) !== 0xffff) throw new GzipError('corrupted data');
  for (let count = 0; count < length; count++) {
    if (!reader.isFilled(stepBytes)) await reader.fill(stepBytes);
    if (output.isFull) yield output.take();
    output.add(reader.byte());
  }
}

async function* readCompressed(reader: BitReader, output: Output, { literals, distances }: Codes): AsyncGenerator<Uint8Array> {
  for (;;) {
    if (!reader.isFilled(stepBytes)) await reader.fill(stepBytes);
    if (output.isFull) yield output.take();
    const symbol = literals.read(reader);
    if (symbol === endOfBlock) return;
    if (symbol < endOfBlock) output.add(symbol);
    else readMatch(symbol - 257, reader, output, distances);
  }
}

function readMatch(code: number, reader: BitReader, output: Output, distances: PrefixCode): void {
  const length = lengthBases[code];
  if (length === undefined) throw new GzipError('corrupted data');
  const extra = reader.bits(lengthExtras[code] ?? 0);
  const distanceCode = distances.read(reader);
  const distance = distanceBases[distanceCode];
  if (distance === undefined) throw new GzipError('corrupted data');
  output.repeat(length + extra, distance + reader.bits(distanceExtras[distanceCode] ?? 0));
}

/** Skips the header of a member after its first two bytes. */
function skipHeader(reader: BitReader): void {
  const [method, flags] = [reader.byte(), reader.byte()];
  if (method !== 8) throw new GzipError('corrupted data');
  reader.number(6);
  if (flags & 4) for (let left = reader.number(2); left > 0; left--) reader.byte();
  for (const flag of [8, 16]) if (flags & flag) while (reader.byte() !== 0);
  if (flags & 2) reader.number(2);
}

/**
 * Decompresses the members of a gzip file; what follows the last one is ignored. (The stream of fflate verifies no checksum and does not end
 * before other bytes; those of the platform take real time, also with a virtual clock.)
 *
 * @throws GzipError
 */
export async function* gunzip(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new BitReader(pieces);
  for (let isFirst = true; ; isFirst = false) {
    await reader.fill(headerBytes);
    const isMember = !reader.isAtEnd && reader.byte() === 0x1f && !reader.isAtEnd && reader.byte() === 0x8b;
    if (!isMember && isFirst) throw new GzipError('invalid magic');
    if (!isMember) return;
    skipHeader(reader);
    let [crc, size] = [0, 0];
    for await (const bytes of readBlocks(reader, new Output())) {
      crc = crc32(bytes, crc);
      size = (size + bytes.length) % 2 ** 32;
      yield bytes;
    }
    await reader.fill(stepBytes);
    reader.align();
    if (reader.number(4) !== crc) throw new GzipError('crc error');
    if (reader.number(4) !== size) throw new GzipError('incorrect length');
  }
}
