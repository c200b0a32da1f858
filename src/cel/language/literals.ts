import { Uint } from '../values/value.ts';

/** An invalid literal; the parser adds the location. */
export class LiteralError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LiteralError';
  }
}

const maxInt = 2n ** 63n - 1n;
const minInt = -(2n ** 63n);
const maxUint = 2n ** 64n - 1n;

export function readInt(text: string, negative: boolean): bigint {
  const value = negative ? -BigInt(text) : BigInt(text);
  if (value > maxInt || value < minInt) throw new LiteralError('invalid int literal');
  return value;
}

export function readUint(text: string): Uint {
  const value = BigInt(text.slice(0, -1));
  if (value > maxUint) throw new LiteralError('invalid uint literal');
  return new Uint(value);
}

export function readDouble(text: string, negative: boolean): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new LiteralError('invalid double literal');
  return negative ? -value : value;
}

export function readString(text: string): string {
  const { body, raw } = unquote(text);
  if (raw) return body;
  return body.replace(/\\(?:[xX](..)|u(.{4})|U(.{8})|([0-3]..)|(.))/gsu, (_, byte, short, long, octal, char) => {
    if (char !== undefined) return escapes[char] ?? char;
    const code = octal === undefined ? Number.parseInt(byte ?? short ?? long, 16) : Number.parseInt(octal, 8);
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw new LiteralError('invalid unicode code point');
    return String.fromCodePoint(code);
  });
}

/** `b'…'`: numeric escapes are bytes, everything else is UTF-8. */
export function readBytes(text: string): Uint8Array {
  const { body, raw } = unquote(text.slice(1));
  const encoder = new TextEncoder();
  if (raw) return encoder.encode(body);
  const bytes: number[] = [];
  for (const [part, byte, octal, char, unicode] of body.matchAll(/\\[xX](..)|\\([0-3]..)|\\([^uU])|\\([uU])|[^\\]/gsu)) {
    if (unicode !== undefined) throw new LiteralError('unable to unescape string');
    if (byte !== undefined) bytes.push(Number.parseInt(byte, 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(char === undefined ? part : (escapes[char] ?? char)));
  }
  return Uint8Array.from(bytes);
}

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unquote(text: string): { readonly body: string; readonly raw: boolean } {
  const raw = /^[rR]/.test(text);
  const quoted = (raw ? text.slice(1) : text).replace(/\r\n?/g, '\n');
  const width = /^("""|''').*\1$/s.test(quoted) && quoted.length >= 6 ? 3 : 1;
  return { body: quoted.slice(width, quoted.length - width), raw };
}
