/** Invalid or unexpected protobuf. The message is Go's where Go has one. */
export class ProtoError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProtoError';
  }
}

export type WireType = 0 | 1 | 2 | 5;

/** One encoded field of a message. */
export class WireField {
  readonly number: number;
  readonly wire: WireType;
  /** The value of a varint (wire type 0), as unsigned 64 bits; zero for other types. */
  readonly integer: number | bigint;
  /** The buffer with the content. */
  readonly source: Uint8Array;
  readonly start: number;
  readonly end: number;

  constructor(number: number, wire: WireType, integer: number | bigint, source: Uint8Array, start: number, end: number) {
    this.number = number;
    this.wire = wire;
    this.integer = integer;
    this.source = source;
    this.start = start;
    this.end = end;
  }

  /** The content of a length-delimited field (2), or the four or eight bytes of a fixed one, as a view. */
  get bytes(): Uint8Array {
    return this.source.subarray(this.start, this.end);
  }

  /** The content as text. @throws ProtoError */
  get text(): string {
    return shortText(this.source, this.start, this.end) ?? readText(this.bytes);
  }

  /** The last fields 1 and 2 of the message in the content. @throws ProtoError */
  lastTwo(): readonly [first: WireField | undefined, second: WireField | undefined] {
    const reader = new WireReader(this.source, this.start, this.end);
    let first: WireField | undefined;
    let second: WireField | undefined;
    while (!reader.atEnd) {
      const field = reader.field();
      if (field.number === 1) first = field;
      else if (field.number === 2) second = field;
    }
    return [first, second];
  }
}

/** Decodes short ASCII text faster than a view and a decoder. Undefined for other text. */
function shortText(source: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > 12) return undefined;
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = source[at] ?? 0;
    if (byte > 127) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The fields of one message in order. Groups are rejected: no API type has them. @throws ProtoError */
export function* readFields(message: Uint8Array): Generator<WireField, void, undefined> {
  const reader = new WireReader(message);
  while (!reader.atEnd) yield reader.field();
}

/** The numbers of a packed list. @throws ProtoError */
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
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get atEnd(): boolean {
    return this.#at >= this.#end;
  }

  field(): WireField {
    // Go uses only 32 bits of a tag.
    const tag = Number(this.varint()) % 2 ** 32;
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (number < 1) throw new ProtoError(`proto: illegal tag ${number} (wire type ${wire})`);
    switch (wire) {
      case 0:
        return this.#field(number, wire, 0, this.varint());
      case 1:
        return this.#field(number, wire, 8);
      case 2:
        return this.#field(number, wire, this.length());
      case 5:
        return this.#field(number, wire, 4);
      default:
        throw new ProtoError(`proto: illegal wireType ${wire}`);
    }
  }

  /** The field with the next `length` bytes as its content. */
  #field(number: number, wire: WireType, length: number, integer: number | bigint = 0): WireField {
    const start = this.#at;
    const end = start + length;
    if (end > this.#end) throw new ProtoError('unexpected EOF');
    this.#at = end;
    return new WireField(number, wire, integer, this.#bytes, start, end);
  }

  varint(): number | bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#next();
      low |= (byte & 127) << shift;
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

  #next(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at++] : undefined;
    if (byte === undefined) throw new ProtoError('unexpected EOF');
    return byte;
  }
}
