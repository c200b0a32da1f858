/**
 * DER (X.690, section 10) as strict as Go's encoding/asn1: definite lengths in their shortest form. Tags have one byte, which is all that
 * X.509 needs. Nothing recurses: callers descend into the elements that they expect.
 */

/** Malformed data of X.509; the message is Go's. */
export class X509Error extends Error {
  override readonly name = 'X509Error';
}

/** An element with its identifier byte. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** With tag and length. */
  readonly whole: Uint8Array;
}

export interface DerHeader {
  readonly tag: number;
  /** Offset of the content. */
  readonly start: number;
  readonly length: number;
}

export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const longForm = 0x80;
const longTag = 0x1f;
/** Go's limit: four bytes, the first of them below 0x80. */
const maxLengthBytes = 4;
/** Limits the memory for hostile input; no list in a certificate is this long. */
const maxElements = 1_000;

/** The header of the first element, whose content may be truncated. @throws X509Error */
export function readDerHeader(bytes: Uint8Array): DerHeader {
  const [tag, first] = bytes;
  if (tag === undefined) throw new X509Error('asn1: syntax error: sequence truncated');
  if ((tag & longTag) === longTag) throw new X509Error('asn1: structure error: base 128 integer too large');
  if (first === undefined) throw new X509Error('asn1: syntax error: truncated tag or length');
  if (first < longForm) return { tag, start: 2, length: first };
  const start = 2 + first - longForm;
  return { tag, start, length: readLongLength(bytes.subarray(2, start), start - 2) };
}

function readLongLength(bytes: Uint8Array, count: number): number {
  if (count === 0) throw new X509Error('asn1: syntax error: indefinite length found (not DER)');
  if (bytes[0] === 0) throw new X509Error('asn1: structure error: superfluous leading zeros in length');
  if (count > maxLengthBytes || (bytes[maxLengthBytes - 1] !== undefined && (bytes[0] ?? 0) >= longForm))
    throw new X509Error('asn1: structure error: length too large');
  if (bytes.length < count) throw new X509Error('asn1: syntax error: truncated tag or length');
  const length = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  if (length < longForm) throw new X509Error('asn1: structure error: non-minimal length');
  return length;
}

/** The first element; more may follow it. @throws X509Error */
export function readDerElement(bytes: Uint8Array): DerElement {
  const { tag, start, length } = readDerHeader(bytes);
  const end = start + length;
  if (end > bytes.length) throw new X509Error('asn1: syntax error: data truncated');
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(0, end) };
}

/** The consecutive elements in `bytes`; undefined when they do not fill them exactly. */
export function derElements(bytes: Uint8Array): readonly DerElement[] | undefined {
  const elements: DerElement[] = [];
  try {
    for (let offset = 0; offset < bytes.length; ) {
      const element = readDerElement(bytes.subarray(offset));
      if (elements.push(element) > maxElements) return undefined;
      offset += element.whole.length;
    }
  } catch (error) {
    if (error instanceof X509Error) return undefined;
    throw error;
  }
  return elements;
}

const maxArc = 2 ** 31 - 1;

/**
 * An object identifier in dotted form (X.690, section 8.19). Undefined when it is malformed or an arc has more than 31 bits, as in Go.
 */
export function objectIdentifier({ tag, content }: DerElement): string | undefined {
  if (tag !== derTags.objectIdentifier || content.length === 0) return undefined;
  const arcs: number[] = [];
  let arc = 0;
  let isPartial = false;
  for (const byte of content) {
    // An arc must not start with zeros.
    if (!isPartial && byte === longForm) return undefined;
    arc = arc * 128 + (byte & 0x7f);
    if (arc > maxArc) return undefined;
    isPartial = byte >= longForm;
    if (isPartial) continue;
    arcs.push(arc);
    arc = 0;
  }
  if (isPartial) return undefined;
  // The first two arcs are one number.
  const [first = 0, ...others] = arcs;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...others].join('.');
}

/** The bytes of a bit string; unused bits at the end must be zero (X.690, section 11.2). @throws X509Error */
export function bitStringBytes({ tag, content }: DerElement): Uint8Array {
  if (tag !== derTags.bitString || content.length === 0) throw new X509Error('asn1: syntax error: zero length BIT STRING');
  const [unused = 0] = content;
  const padding = content.length === 1 ? unused : (content.at(-1) ?? 0) & ((1 << unused) - 1);
  if (unused > 7 || padding !== 0) throw new X509Error('asn1: syntax error: invalid padding bits in BIT STRING');
  return content.subarray(1);
}

/** The bytes of a bit string as a number: shifted, so that unused bits are at the beginning (Go's BitString.RightAlign). @throws X509Error */
export function rightAlignedBytes(element: DerElement): Uint8Array {
  const bytes = bitStringBytes(element);
  const [unused = 0] = element.content;
  return bytes.map((byte, index) => (byte >> unused) | ((bytes[index - 1] ?? 0) << (8 - unused)));
}

/** X.690, section 11.1: true is all ones. @throws X509Error */
export function booleanOf({ tag, content }: DerElement): boolean {
  const [byte] = content;
  if (tag !== derTags.boolean || content.length !== 1 || (byte !== 0 && byte !== 0xff))
    throw new X509Error('asn1: syntax error: invalid boolean');
  return byte !== 0;
}

/** The elements of a sequence; `name` is for the error. @throws X509Error */
export function sequenceElements(element: DerElement | undefined, name: string): readonly DerElement[] {
  const elements = element?.tag === derTags.sequence ? derElements(element.content) : undefined;
  if (!elements) throw malformed(name);
  return elements;
}

export function malformed(name: string): X509Error {
  return new X509Error(`x509: malformed ${name}`);
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
