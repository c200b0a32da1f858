/** FNV-1a with 32 bits: a number that is the same for the same text. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}

/** Hexadecimal digits, a multiple of eight of them, that are the same for the same text. */
export function hexDigest(text: string, digits: number): string {
  const parts = Array.from({ length: digits / 8 }, (_, part) => hash(`${part}${text}`));
  return parts.map((part) => part.toString(16).padStart(8, '0')).join('');
}

/** A number from 0 to 1, which changes much with small changes of the text. */
export function fractionOf(text: string): number {
  let value = hash(text);
  // The last step of MurmurHash3.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32;
}
