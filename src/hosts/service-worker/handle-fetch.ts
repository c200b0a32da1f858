import { isStreaming, markerHeader, userAgentHeader } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import type { ApiHandler, ApiResponse } from '../../meta/index.ts';
import type { OpenStreams } from './open-streams.ts';

/** API path and query of a URL below the base; undefined for other URLs. */
export function apiTargetOf(baseUrl: string, url: string): string | undefined {
  if (!url.startsWith(baseUrl)) return undefined;
  const target = url.slice(baseUrl.length - 1);
  const hash = target.indexOf('#');
  return hash < 0 ? target : target.slice(0, hash);
}

/** Handles one intercepted fetch. Errors become responses: a handler that throws would fall back to the network. */
export async function handleFetch(request: Request, target: string, handle: ApiHandler, streams: OpenStreams): Promise<Response> {
  const abortController = new AbortController();
  // Never fires in a worker (only the stream's cancel does), but for a cluster in the page.
  request.signal.addEventListener('abort', () => abortController.abort(request.signal.reason));
  try {
    const answer = await handle({
      method: request.method,
      target,
      headers: apiHeadersOf(request),
      body: await readBody(request),
      signal: abortController.signal,
    });
    return toResponse(request, target, answer, (chunks) => {
      const end = (): void => abortController.abort(new DOMException('the client disconnected', 'AbortError'));
      return isStreaming(target) ? streams.watch(chunks, end) : streams.list(chunks, end);
    });
  } catch (error) {
    return internalError(error);
  }
}

function apiHeadersOf(request: Request): Headers {
  const headers = new Headers(request.headers);
  const userAgent = headers.get(userAgentHeader);
  if (userAgent === null) return headers;
  headers.delete(userAgentHeader);
  if (userAgent === '') headers.delete('user-agent');
  else headers.set('user-agent', userAgent);
  return headers;
}

async function readBody(request: Request): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length === 0 ? undefined : bytes;
}

/** Statuses without a body: the Response constructor throws with one. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

type ToStream = (chunks: AsyncIterable<string | Uint8Array>) => ReadableStream<Uint8Array>;

function toResponse(request: Request, target: string, { status, headers, body }: ApiResponse, stream: ToStream): Response {
  const named = new Headers();
  for (const [name, value] of headers) named.append(name, value);
  named.set(markerHeader, '1');
  // A worker cannot respond with 101 or 103: there is no connection to upgrade.
  if (status < 200) return internalError(new Error(`${request.method} ${target} wants status ${status}`));
  if (body === undefined || request.method === 'HEAD' || bodiless.has(status)) return new Response(null, { status, headers: named });
  if (typeof body === 'string') return new Response(body, { status, headers: named });
  const whole = body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : stream(body);
  return new Response(whole as BodyInit, { status, headers: named });
}

function internalError(error: unknown): Response {
  const cause = errorMessage(error);
  const message = `Internal error occurred: ${cause}`;
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
  return Response.json(status, { status: 500, headers: { [markerHeader]: '1' } });
}

/** Response while the worker is being replaced; the client retries with the next one. */
export function pausedResponse(): Response {
  return new Response('the cluster is being updated\n', { status: 503, headers: { [markerHeader]: 'paused', 'retry-after': '1' } });
}
