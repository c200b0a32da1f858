/** Headers of a stream; names in lower case. */
export type StreamHeaders = ReadonlyMap<string, string>;

/** A header block: the number of headers, then each name and value after its length, all in 32 bits. Headers that are cut off are left out */
export function parseHeaderBlock(block: Uint8Array): StreamHeaders {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const decoder = new TextDecoder();
  let at = 4;
  const text = (): string | undefined => {
    const length = at + 4 <= block.length ? view.getUint32(at) : block.length;
    if (at + 4 + length > block.length) return undefined;
    const value = decoder.decode(block.subarray(at + 4, at + 4 + length));
    at += 4 + length;
    return value;
  };
  const headers = new Map<string, string>();
  for (let left = block.length < 4 ? 0 : view.getUint32(0); left > 0; left--) {
    const [name, value] = [text(), text()];
    if (name === undefined || value === undefined) break;
    // Several values are separated by zeros.
    headers.set(name.toLowerCase(), value.split('\0')[0] ?? '');
  }
  return headers;
}

/** A block without headers. */
export const emptyHeaderBlock: Uint8Array = new Uint8Array(4);
