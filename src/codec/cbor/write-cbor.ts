import { base64ToBytes, isJsonObject, type Json } from '../../meta/index.ts';
import { memberSchema, type Schema } from '../../schema/index.ts';
import type { ItemList, Pause } from '../item-list.ts';

/** The self-described CBOR tag, which identifies the format by its first bytes (RFC 8949, 3.4.6). */
const selfDescribed = [0xd9, 0xd9, 0xf7] as const;
/** Tag for bytes that become base64 text. */
const laterBase64 = 0xd6;

/**
 * Encodes a value like upstream: strings and member names as byte strings, and base64 text as its bytes where the schema has bytes.
 * Without a schema no text is decoded.
 */
export function writeCbor(value: unknown, shape: Schema | undefined): Uint8Array {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  writer.value(value as Json, shape);
  return writer.finish();
}

/** The same bytes as `writeCbor`, for a whole list. */
export async function writeCborList(
  { frame, member, count, items }: ItemList,
  shape: Schema | undefined,
  pause: Pause,
): Promise<readonly Uint8Array[]> {
  let writer = new CborWriter();
  const pieces: Uint8Array[] = [];
  const names = Object.keys(frame).filter((name) => frame[name] !== undefined);
  const listShape = memberSchema(shape, member);
  const itemShape = listShape?.form === 'list' ? listShape.items : undefined;
  writer.raw(selfDescribed);
  writer.head(5, names.length);
  for (const name of names) {
    writer.text(name);
    if (name !== member) {
      writer.value(frame[name], memberSchema(shape, name));
      continue;
    }
    writer.head(4, count);
    for (const item of items) {
      writer.value(item, itemShape);
      pieces.push(writer.finish());
      writer = new CborWriter();
      const paused = pause();
      if (paused) await paused;
    }
  }
  pieces.push(writer.finish());
  return pieces;
}

/** Encodes a watch event; its object has its own self-described tag. */
export function writeCborEvent(type: string, object: Uint8Array): Uint8Array {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  writer.head(5, 2);
  writer.text('type');
  writer.text(type);
  writer.text('object');
  writer.raw(object);
  return writer.finish();
}

class CborWriter {
  #bytes: Uint8Array = new Uint8Array(1024);
  #length = 0;

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  value(value: Json | undefined, shape: Schema | undefined): void {
    if (value === null || value === undefined) this.raw([0xf6]);
    else if (typeof value === 'boolean') this.raw([value ? 0xf5 : 0xf4]);
    else if (typeof value === 'string') this.#string(value, shape);
    else if (typeof value === 'number' || typeof value === 'bigint') this.#number(value, shape);
    else if (isJsonObject(value)) this.#map(value, shape);
    else this.#array(value as readonly Json[], shape);
  }

  #string(value: string, shape: Schema | undefined): void {
    if (shape?.form !== 'scalar' || shape.type !== 'bytes') {
      this.text(value);
      return;
    }
    const bytes = base64ToBytes(value);
    this.raw([laterBase64]);
    this.head(2, bytes.length);
    this.raw(bytes);
  }

  #array(items: readonly Json[], shape: Schema | undefined): void {
    this.head(4, items.length);
    for (const item of items) this.value(item, shape?.form === 'list' ? shape.items : undefined);
  }

  #map(object: Readonly<Record<string, Json | undefined>>, shape: Schema | undefined): void {
    const names = Object.keys(object).filter((name) => object[name] !== undefined);
    this.head(5, names.length);
    for (const name of names) {
      this.text(name);
      this.value(object[name], memberSchema(shape, name));
    }
  }

  #number(value: number | bigint, shape: Schema | undefined): void {
    const isDouble = shape?.form === 'scalar' && shape.type === 'double';
    if (isDouble || (typeof value === 'number' && !Number.isInteger(value))) {
      this.#float(Number(value));
      return;
    }
    const whole = BigInt(value);
    if (whole < 0n) this.head(1, -1n - whole);
    else this.head(0, whole);
  }

  /** The shortest lossless encoding. */
  #float(value: number): void {
    const short = Math.fround(value) === value;
    const view = new DataView(new ArrayBuffer(short ? 4 : 8));
    if (short) view.setFloat32(0, value);
    else view.setFloat64(0, value);
    const half = short ? halfBits(view.getUint32(0)) : undefined;
    if (half !== undefined) this.raw([0xf9, half >> 8, half & 0xff]);
    else {
      this.raw([short ? 0xfa : 0xfb]);
      this.raw(new Uint8Array(view.buffer));
    }
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.head(2, bytes.length);
    this.raw(bytes);
  }

  head(major: number, argument: number | bigint): void {
    const lead = major << 5;
    const value = BigInt(argument);
    if (value < 24n) this.raw([lead | Number(value)]);
    else if (value < 0x100n) this.raw([lead | 24, Number(value)]);
    else if (value < 0x10000n) this.raw([lead | 25, Number(value >> 8n), Number(value & 0xffn)]);
    else {
      const long = value >= 0x100000000n;
      this.raw([lead | (long ? 27 : 26)]);
      for (let shift = long ? 56n : 24n; shift >= 0n; shift -= 8n) this.raw([Number((value >> shift) & 0xffn)]);
    }
  }

  raw(bytes: ArrayLike<number>): void {
    if (this.#length + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}

/** The half-precision bits of a float with the given 32 bits; undefined when precision would be lost. */
function halfBits(bits: number): number | undefined {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 127;
  const fraction = bits & 0x7fffff;
  if (exponent >= -14 && exponent <= 15 && (fraction & 0x1fff) === 0) return sign | ((exponent + 15) << 10) | (fraction >>> 13);
  if (exponent < -14 && exponent >= -24) {
    const shift = 13 + (-14 - exponent);
    const whole = fraction | 0x800000;
    if ((whole & ((1 << shift) - 1)) === 0) return sign | (whole >>> shift);
  }
  return undefined;
}
