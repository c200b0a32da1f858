/**
 * 128 bits of a text, and of bytes after it, in upper-case hex: for entity tags, for the `hash` in OpenAPI URLs, for attempts.
 * It only has to change with the text: it protects nothing, and WebCrypto's digests are asynchronous (docs/decisions).
 */
export function fingerprint(text: string, bytes: Uint8Array = new Uint8Array()): string {
  // Four FNV-1a lanes with seeds of their own, each mixed with its neighbour at the end (as in MurmurHash3).
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  let c = 0x85ebca6b;
  let d = 0xc2b2ae35;
  for (let at = 0; at < text.length + bytes.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : (bytes[at - text.length] ?? 0);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    c = Math.imul(c ^ code, 0x27d4eb2f);
    d = Math.imul(d ^ code, 0x165667b1);
  }
  return [mixed(a ^ (d >>> 7)), mixed(b ^ (a >>> 9)), mixed(c ^ (b >>> 11)), mixed(d ^ (c >>> 13))].map(hex).join('');
}

function mixed(lane: number): number {
  let at = lane ^ (lane >>> 16);
  at = Math.imul(at, 0x85ebca6b);
  at ^= at >>> 13;
  at = Math.imul(at, 0xc2b2ae35);
  return at ^ (at >>> 16);
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).toUpperCase().padStart(8, '0');
}
