/** Base64 as Go's standard encoding reads it: line breaks are skipped, loose last bits are forgiven, the rest must be right. */

/** Text that is no base64; the message is Go's. */
export class Base64Error extends Error {
  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
    this.name = 'Base64Error';
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const regular = /^[A-Za-z0-9+/]*(?:[AQgw]==|[AEIMQUYcgkosw048]=)?$/;

/** The text as it is written back after decoding. @throws Base64Error */
export function normalizeBase64(text: string): string {
  if (text.length % 4 === 0 && regular.test(text)) return text;
  check(text);
  const plain = text.replace(/[\r\n]/g, '');
  return withoutLooseBits(plain);
}

/** Bits behind the last whole byte are dropped. */
function withoutLooseBits(text: string): string {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (padding === 0) return text;
  const at = text.length - padding - 1;
  const kept = alphabet.indexOf(text.charAt(at)) & (padding === 2 ? 0b110000 : 0b111100);
  return text.slice(0, at) + alphabet.charAt(kept) + '='.repeat(padding);
}

/** Goes through the text as Go's decoder does, to complain of the same byte. */
function check(text: string): void {
  let inQuantum = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\r' || char === '\n') continue;
    if (char === '=') {
      checkPadding(text, at, inQuantum);
      return;
    }
    if (!alphabet.includes(char)) throw new Base64Error(byteOffset(text, at));
    inQuantum = (inQuantum + 1) % 4;
  }
  if (inQuantum !== 0) throw new Base64Error(text.length - inQuantum);
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

function byteOffset(text: string, at: number): number {
  return new TextEncoder().encode(text.slice(0, at)).length;
}
