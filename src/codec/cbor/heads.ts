/** The initial bytes of a CBOR item: its major type and argument. */
export interface Head {
  readonly major: Major;
  /** Encoding of the argument: below 24 the value itself, 24–27 for 1–8 bytes, 31 for an indefinite length. */
  readonly info: number;
  readonly argument: bigint;
}

export type Major = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Upstream's names of the major types. */
export const majorNames = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
] as const;

export const indefinite = 31;
export const breakByte = 0xff;

/** CBOR that the API rejects; the message is upstream's. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get rest(): number {
    return this.bytes.length - this.at;
  }

  /** @throws CborError */
  take(length: number): Uint8Array {
    if (this.rest < length) throw new CborError('unexpected EOF');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** The next byte. @throws CborError */
  peek(): number {
    const next = this.bytes[this.at];
    if (next === undefined) throw new CborError('unexpected EOF');
    return next;
  }

  /** @throws CborError */
  head(): Head {
    const first = this.peek();
    this.at++;
    const major = (first >> 5) as Major;
    const info = first & 31;
    if (info < 24) return { major, info, argument: BigInt(info) };
    if (info <= 27) return { major, info, argument: this.#argument(1 << (info - 24)) };
    if (info === indefinite && major === 7) throw new CborError('cbor: unexpected "break" code');
    if (info === indefinite && major >= 2 && major <= 5) return { major, info, argument: 0n };
    throw new CborError(`cbor: invalid additional information ${info} for type ${majorNames[major]}`);
  }

  #argument(size: number): bigint {
    const start = this.at;
    this.take(size);
    if (size === 1) return BigInt(this.#view.getUint8(start));
    if (size === 2) return BigInt(this.#view.getUint16(start));
    return size === 4 ? BigInt(this.#view.getUint32(start)) : this.#view.getBigUint64(start);
  }
}

/** The float of a head of major type 7 with 2, 4 or 8 bytes. */
export function floatOf({ info, argument }: Head): number {
  const view = new DataView(new ArrayBuffer(8));
  if (info === 27) {
    view.setBigUint64(0, argument);
    return view.getFloat64(0);
  }
  if (info === 26) {
    view.setUint32(0, Number(argument));
    return view.getFloat32(0);
  }
  return halfFloat(Number(argument));
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
