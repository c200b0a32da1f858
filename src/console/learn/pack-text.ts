/** Compresses a text with gzip by the platform's streams. */
export async function packText(text: string): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
}

class TooLargeError extends Error {}

/** Decompresses at most `maxBytes`, checked during decompression. @throws TooLargeError; TypeError for invalid gzip */
export async function unpackText(packed: Uint8Array, maxBytes: number = Number.POSITIVE_INFINITY): Promise<string> {
  const reader = new Blob([packed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new TooLargeError(`more than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
