import type { ResponseBody } from '../../meta/index.ts';

/** Reads the whole body as text. Only for finite bodies. */
export async function readText(body: ResponseBody): Promise<string> {
  if (body === undefined) return '';
  if (typeof body === 'string') return body;
  const decoder = new TextDecoder();
  if (body instanceof Uint8Array) return decoder.decode(body);
  let text = '';
  for await (const chunk of body) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Parses JSON; other text, such as the body of a proxy's error, is returned unchanged. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, thus not an object. Callers report it.
    return text;
  }
}

/** Yields the lines of a streamed body as soon as each is complete. Drops a last line without line break. */
export async function* readLines(body: ResponseBody): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of readChunks(body)) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
}

/** Yields the chunks of a body, which may be whole. */
export async function* readChunks(body: ResponseBody): AsyncGenerator<string | Uint8Array> {
  if (body === undefined) return;
  if (typeof body === 'string' || body instanceof Uint8Array) yield body;
  else yield* body;
}
