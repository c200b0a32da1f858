import type { ApiHandler } from '../../../src/meta/index.ts';
import type { Received, Sent } from '../scenario.d.mts';

/** A transport that calls a handler directly. */
export function handlerTransport(handle: ApiHandler): (sent: Sent) => Promise<Received> {
  return async ({ method, target, headers, body }) => {
    const abort = new AbortController();
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const answer = await handle({ method, target, headers: new Headers(headers), body: bytes, signal: abort.signal });
    return { status: answer.status, headers: answer.headers, chunks: chunksOf(answer.body), close: () => abort.abort() };
  };
}

async function* chunksOf(body: Awaited<ReturnType<ApiHandler>>['body']): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  if (body === undefined) return;
  if (typeof body === 'string') yield encoder.encode(body);
  else if (body instanceof Uint8Array) yield body;
  else for await (const chunk of body) yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
}
