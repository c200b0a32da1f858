/** 64 bits, seven per byte. */
const varintMaxBytes = 10;
const encoder = new TextEncoder();

/** Largest number for the fast path of `varint`. */
const quickMax = 0x7fffffff;

/** Writes protobuf to one growing buffer, fields in call order. */
export class ProtoWriter {
  #bytes = new Uint8Array(512);
  #length = 0;

  /** The written bytes. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** An integer in Go's encoding of int32, int64 and bool: negative ones take ten bytes. */
  integer(field: number, value: number | bigint): void {
    this.#varint(field * 8);
    this.#varint(value);
  }

  bool(field: number, value: boolean): void {
    this.integer(field, value ? 1 : 0);
  }

  double(field: number, value: number): void {
    this.#varint(field * 8 + 1);
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  bytes(field: number, value: Uint8Array): void {
    this.fieldHead(field, value.length);
    this.raw(value);
  }

  /** The tag and length before a field of that many bytes. */
  fieldHead(field: number, length: number): void {
    this.#varint(field * 8 + 2);
    this.#varint(length);
  }

  string(field: number, value: string): void {
    // A UTF-16 unit takes at most three bytes.
    this.#reserve(value.length * 3);
    this.message(field, () => {
      this.#reserve(value.length * 3);
      this.#length += encoder.encodeInto(value, this.#bytes.subarray(this.#length)).written;
    });
  }

  /** A field with content by `write`. Reserves space for a short length, which grows for longer content. */
  message(field: number, write: () => void): void {
    this.#varint(field * 8 + 2);
    this.#reserve(1);
    const start = this.#length + 1;
    this.#length = start;
    write();
    const length = this.#length - start;
    const further = sizeOfVarint(length) - 1;
    // Reserve first: growing copies only the counted bytes, and the length is written before them.
    this.#reserve(further + varintMaxBytes);
    if (further > 0) this.#bytes.copyWithin(start + further, start, this.#length);
    const end = this.#length + further;
    this.#length = start - 1;
    this.#varint(length);
    this.#length = end;
  }

  #varint(value: number | bigint): void {
    this.#reserve(varintMaxBytes);
    if (typeof value === 'number' && value >= 0 && value <= quickMax) {
      let rest = value;
      for (; rest > 127; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128;
      this.#bytes[this.#length++] = rest;
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.#bytes[this.#length++] = Number(rest & 127n) | 128;
    this.#bytes[this.#length++] = Number(rest);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function sizeOfVarint(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
  return size;
}
