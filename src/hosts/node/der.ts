/**
 * What a certificate is written in (X.690, distinguished encoding), as far as one of ours goes: a value is its tag, the length of its
 * content, and that. A library for it takes a fifth of the server's start to load and to read its own schemas.
 */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

/** A tag whose meaning depends on where it stands: `[3]` of a certificate are its extensions. */
export const contextTag = (number: number, form: 'primitive' | 'constructed'): number => (form === 'primitive' ? 0x80 : 0xa0) | number;

export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

/** 5 → 05; 300 → 82 01 2c: how many bytes the length has, and the length. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes = base256(length);
  return [0x80 | bytes.length, ...bytes];
}

const base256 = (number: number): number[] => (number < 256 ? [number] : [...base256(Math.floor(number / 256)), number % 256]);

/** `2.5.4.3` → 06 03 55 04 03: the first two numbers share a byte, the others are groups of seven bits. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return der(tags.objectIdentifier, Buffer.from([first * 40 + second, ...others.flatMap((number) => sevenBits(number, 0))]));
}

const sevenBits = (number: number, more: 0 | 0x80): number[] =>
  number < 128 ? [number | more] : [...sevenBits(Math.floor(number / 128), 0x80), (number % 128) | more];

/** `unused` bits at the end of the last byte say nothing. */
export const bitString = (bytes: Uint8Array, unused = 0): Buffer => der(tags.bitString, Buffer.from([unused]), bytes);

/** Years until 2049 have two digits (RFC 5280, 4.1.2.5). */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replace(/\..*|[-:T]/g, '')}Z`;
  return digits < '2050' ? der(tags.utcTime, Buffer.from(digits.slice(2))) : der(tags.generalizedTime, Buffer.from(digits));
}
