/** Bytes that are no protobuf, or not the one that was expected. The message is Go's where Go has one. */
export class ProtoError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProtoError';
  }
}

export type WireType = 0 | 1 | 2 | 5;

/** One field of a message as it stands on the wire. */
export interface WireField {
  readonly number: number;
  readonly wire: WireType;
  /** The number of a varint (wire type 0), as unsigned 64 bits; zero for the others. */
  readonly integer: number | bigint;
  /** The content of a length-delimited field (2), or the four or eight bytes of a fixed one. A view, not a copy. */
  readonly bytes: Uint8Array;
}

const nothing = new Uint8Array();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The fields of one message, in their order. Groups are refused: nothing here has them. @throws ProtoError */
export function* readFields(message: Uint8Array): Generator<WireField, void, undefined> {
  const reader = new WireReader(message);
  while (!reader.atEnd) yield reader.field();
}

/** What counts of the fields 1 and 2 of a message: their last ones. @throws ProtoError */
export function lastTwoOf(message: Uint8Array): readonly [first: WireField | undefined, second: WireField | undefined] {
  const reader = new WireReader(message);
  let first: WireField | undefined;
  let second: WireField | undefined;
  while (!reader.atEnd) {
    const field = reader.field();
    if (field.number === 1) first = field;
    else if (field.number === 2) second = field;
  }
  return [first, second];
}

/** Numbers that stand side by side without tags: a packed list. @throws ProtoError */
export function readPacked(bytes: Uint8Array): readonly (number | bigint)[] {
  const reader = new WireReader(bytes);
  const numbers: (number | bigint)[] = [];
  while (!reader.atEnd) numbers.push(reader.varint());
  return numbers;
}

export function readText(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw new ProtoError('proto: string is not valid UTF-8', cause);
  }
}

class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  field(): WireField {
    // Only 32 bits of a tag count, as in Go.
    const tag = Number(this.varint()) % 2 ** 32;
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (number < 1) throw new ProtoError(`proto: illegal tag ${number} (wire type ${wire})`);
    switch (wire) {
      case 0:
        return { number, wire, integer: this.varint(), bytes: nothing };
      case 1:
        return { number, wire, integer: 0, bytes: this.take(8) };
      case 2:
        return { number, wire, integer: 0, bytes: this.take(this.length()) };
      case 5:
        return { number, wire, integer: 0, bytes: this.take(4) };
      default:
        throw new ProtoError(`proto: illegal wireType ${wire}`);
    }
  }

  varint(): number | bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#next();
      low += (byte & 127) * 2 ** shift;
      if (byte < 128) return low;
    }
    let high = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#next();
      high |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, high);
    }
    throw new ProtoError('proto: integer overflow');
  }

  length(): number {
    const length = Number(this.varint());
    if (length > Number.MAX_SAFE_INTEGER) throw new ProtoError('proto: negative length found during unmarshaling');
    return length;
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new ProtoError('unexpected EOF');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #next(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new ProtoError('unexpected EOF');
    return byte;
  }
}
