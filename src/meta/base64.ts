/** Base64 as Go's encodings read it: line breaks are skipped, loose last bits are forgiven, the rest must be right. */

/** Text that is no base64; the message is Go's. */
export class Base64Error extends Error {
  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
    this.name = 'Base64Error';
  }
}

/** The letters that the encoding has, and whether `=` fills up the last four. */
export type Base64Form = 'standard' | 'url' | 'raw-url';

const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const alphabets: Readonly<Record<Base64Form, string>> = { standard: `${plain}+/`, url: `${plain}-_`, 'raw-url': `${plain}-_` };
const regular = /^[A-Za-z0-9+/]*(?:[AQgw]==|[AEIMQUYcgkosw048]=)?$/;

/** The text as it is written back after decoding. @throws Base64Error */
export function normalizeBase64(text: string): string {
  if (text.length % 4 === 0 && regular.test(text)) return text;
  checkBase64(text, 'standard');
  return withoutLooseBits(text.replace(/[\r\n]/g, ''));
}

/** Bits behind the last whole byte are dropped. */
function withoutLooseBits(text: string): string {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (padding === 0) return text;
  const at = text.length - padding - 1;
  const kept = alphabets.standard.indexOf(text.charAt(at)) & (padding === 2 ? 0b110000 : 0b111100);
  return text.slice(0, at) + alphabets.standard.charAt(kept) + '='.repeat(padding);
}

/** Goes through the text as Go's decoder does, to complain of the same byte. @throws Base64Error */
export function checkBase64(text: string, form: Base64Form): void {
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

/** As many bytes at once as surely fit among a function's arguments; a multiple of three. */
const chunk = 0x6000;

export function bytesToBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) text += btoa(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  return text;
}

/** In the letters of URLs, and not filled up. */
export function bytesToBase64Url(bytes: Uint8Array): string {
  return bytesToBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Decodes what is known to be base64. @throws DOMException for what is none */
export function base64ToBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Decodes what is known to be base64 in the letters of URLs. @throws DOMException for what is none */
export function base64UrlToBytes(text: string): Uint8Array<ArrayBuffer> {
  return base64ToBytes(text.replaceAll('-', '+').replaceAll('_', '/'));
}
