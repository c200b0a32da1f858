import { concatBytes } from '../meta/index.ts';
import { derTags } from './der.ts';

/** Encodes an element in DER (X.690, section 10) from the encodings of its parts. */
export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = concatBytes(parts);
  return concatBytes([Uint8Array.of(tag, ...encodeLength(content.length)), content]);
}

export const encodeSequence = (...parts: readonly Uint8Array[]): Uint8Array => encodeDer(derTags.sequence, ...parts);

/** The tag of an element `[number]`. */
export const contextTag = (number: number, constructed = 0x20): number => 0x80 | constructed | number;

/** An integer that is not negative, from its big-endian bytes. */
export function encodeUnsigned(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  return (shortest[0] ?? 0) < 0x80 ? encodeDer(derTags.integer, shortest) : encodeDer(derTags.integer, Uint8Array.of(0), shortest);
}

/** `unused`: the number of bits at the end that do not belong to the bit string. */
export const encodeBitString = (bytes: Uint8Array, unused = 0): Uint8Array => encodeDer(derTags.bitString, Uint8Array.of(unused), bytes);

/** An object identifier in dotted form. */
export function encodeObjectIdentifier(id: string): Uint8Array {
  const [root = 0, second = 0, ...others] = id.split('.').map(Number);
  return encodeDer(derTags.objectIdentifier, Uint8Array.from([root * 40 + second, ...others].flatMap(encodeArc)));
}

/** A time with the precision of seconds: UTCTime until 2049, as RFC 5280, section 4.1.2.5 requires. */
export function encodeTime(ms: number): Uint8Array {
  const text = new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '');
  const isUtcTime = Number(text.slice(0, 4)) < 2050;
  return encodeDer(isUtcTime ? derTags.utcTime : derTags.generalizedTime, new TextEncoder().encode(isUtcTime ? text.slice(2) : text));
}

/** Seven bits a byte, the most significant ones first; all bytes but the last have bit 8 set. */
function encodeArc(arc: number): readonly number[] {
  const bytes = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 + (rest % 128));
  return bytes;
}

function encodeLength(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}
