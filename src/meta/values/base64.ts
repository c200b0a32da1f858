/** Base64 as Go's encodings read it: line breaks are skipped and trailing bits are ignored; everything else is checked. */

import { trimEnd } from './trim-end.ts';

/** Invalid base64; the message is Go's. */
export class Base64Error extends Error {
  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
    this.name = 'Base64Error';
  }
}

/** The alphabet and the padding of an encoding. */
export type Base64Encoding = 'standard' | 'url' | 'raw-url';

const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const alphabets: Readonly<Record<Base64Encoding, string>> = { standard: `${plain}+/`, url: `${plain}-_`, 'raw-url': `${plain}-_` };
const regular = /^[A-Za-z0-9+/]*(?:[AQgw]==|[AEIMQUYcgkosw048]=)?$/;

/** Returns the canonical encoding of the decoded text. @throws Base64Error */
export function normalizeBase64(text: string): string {
  if (text.length % 4 === 0 && regular.test(text)) return text;
  checkBase64(text, 'standard');
  return clearTrailingBits(text.replace(/[\r\n]/g, ''));
}

/** Clears the bits after the last whole byte. */
function clearTrailingBits(text: string): string {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (padding === 0) return text;
  const at = text.length - padding - 1;
  const bits = alphabets.standard.indexOf(text.charAt(at)) & (padding === 2 ? 0b110000 : 0b111100);
  return text.slice(0, at) + alphabets.standard.charAt(bits) + '='.repeat(padding);
}

/** Walks through the text as Go's decoder does, to report the same offset. @throws Base64Error */
export function checkBase64(text: string, form: Base64Encoding): void {
  const isPadded = form !== 'raw-url';
  let inQuantum = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\r' || char === '\n') continue;
    if (char === '=' && isPadded) {
      checkPadding(text, at, inQuantum);
      return;
    }
    if (!alphabets[form].includes(char)) throw new Base64Error(at);
    inQuantum = (inQuantum + 1) % 4;
  }
  if (inQuantum === 1 || (inQuantum !== 0 && isPadded)) throw new Base64Error(text.length - inQuantum);
}

function checkPadding(text: string, at: number, inQuantum: number): void {
  if (inQuantum < 2) throw new Base64Error(at);
  let next = skipBreaks(text, at + 1);
  if (inQuantum === 2) {
    if (next === text.length) throw new Base64Error(text.length);
    if (text.charAt(next) !== '=') throw new Base64Error(next - 1);
    next = skipBreaks(text, next + 1);
  }
  if (next < text.length) throw new Base64Error(next);
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === '\r' || text.charAt(at) === '\n') at += 1;
  return at;
}

/** Bytes per call: small enough for the engine's argument limit, and a multiple of three. */
const chunk = 0x6000;

export function bytesToBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) text += btoa(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  return text;
}

/** Uses the URL alphabet, without padding. */
export function bytesToBase64Url(bytes: Uint8Array): string {
  return trimEnd(bytesToBase64(bytes).replaceAll('+', '-').replaceAll('/', '_'), '=');
}

/** Decodes valid base64. @throws DOMException when the text is not base64 */
export function base64ToBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Decodes valid base64 of the URL alphabet. @throws DOMException when the text is not base64 */
export function base64UrlToBytes(text: string): Uint8Array<ArrayBuffer> {
  return base64ToBytes(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Decodes base64 with white space; undefined when the text is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return base64ToBytes(text.replace(/\s/g, ''));
  } catch {
    // DOMException of atob.
    return undefined;
  }
}
