const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** A lone surrogate as three bytes, which are invalid in UTF-8; each byte is one character of the searched text. */
const surrogateBytes = /\u00ed([\u00a0-\u00bf])([\u0080-\u00bf])/g;

/** WTF-8: UTF-8 that encodes lone surrogates, too, as three bytes each. */
export function encodeWtf8(text: string): Uint8Array {
  if (text.search(loneSurrogates) < 0) return encoder.encode(text);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { 0: unit, index } of text.matchAll(loneSurrogates)) {
    const code = unit.charCodeAt(0);
    parts.push(encoder.encode(text.slice(at, index)), Uint8Array.of(0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)));
    at = index + 1;
  }
  parts.push(encoder.encode(text.slice(at)));
  return concatBytes(parts);
}

/** Decodes WTF-8. Other invalid bytes become U+FFFD. */
export function decodeWtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    // Not UTF-8: search for lone surrogates byte by byte.
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    const parts: string[] = [];
    let at = 0;
    for (const { 0: three, 1: second = '', 2: third = '', index } of letters.matchAll(surrogateBytes)) {
      const code = 0xd000 | ((second.charCodeAt(0) & 0x3f) << 6) | (third.charCodeAt(0) & 0x3f);
      parts.push(lenient.decode(bytes.subarray(at, index)), String.fromCharCode(code));
      at = index + three.length;
    }
    parts.push(lenient.decode(bytes.subarray(at)));
    return parts.join('');
  }
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
