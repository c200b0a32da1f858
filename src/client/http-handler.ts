import { type ApiHandler, type ApiRequest, type ApiResponse, attemptIdHeader } from '../meta/index.ts';
import { isStreaming, markerHeader, userAgentHeader } from './target.ts';
import { TransportError } from './transport-error.ts';

export interface HttpHandlerOptions {
  /** Absolute, with or without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** `required`: an answer without the worker's mark comes from a static server and is refused. */
  readonly marker: 'required' | 'ignored';
}

/** The cluster behind `baseUrl`, spoken to by fetch: a Service Worker that intercepts it, or a server far away. */
export function createHttpHandler({ baseUrl, fetch, marker }: HttpHandlerOptions): ApiHandler {
  const base = baseUrl.replace(/\/$/, '');
  return async (request) => {
    const init = requestInit(request, sentHeaders(request, marker));
    const response = await send(() => fetch(base + request.target, init), request.signal);
    if (marker === 'required') checkMarker(response);
    return {
      status: response.status,
      headers: [...response.headers].flatMap(splitWarnings),
      body: await bodyOf(response, request),
    };
  };
}

function sentHeaders({ headers }: ApiRequest, marker: HttpHandlerOptions['marker']): Headers {
  const sent = new Headers([...headers]);
  if (marker === 'required') sent.set(userAgentHeader, headers.get('user-agent') ?? '');
  // A server elsewhere does not know this header, and a browser would not send it there unless the server allows it.
  else sent.delete(attemptIdHeader);
  return sent;
}

function requestInit({ method, body, signal }: ApiRequest, headers: Headers): RequestInit {
  // `no-store`: an answer of a cluster is never one of an hour ago.
  const init: RequestInit = { method, headers: [...headers], signal, cache: 'no-store', credentials: 'omit' };
  return body === undefined ? init : { ...init, body: body as Uint8Array<ArrayBuffer> };
}

/** An abort stays the caller's own reason; all else that fetch throws is the network's. */
async function send<Result>(run: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    signal.throwIfAborted();
    throw new TransportError('network', error instanceof Error ? error.message : 'network error', error);
  }
}

function checkMarker(response: Response): void {
  const marker = response.headers.get(markerHeader);
  if (marker === '1') return;
  void response.body?.cancel();
  if (marker === 'paused') throw new TransportError('paused', 'the cluster is being updated');
  throw new TransportError('not-cluster', `status ${response.status} came from elsewhere than the cluster`);
}

/** A finite answer is read whole here, so that a connection that breaks in its middle can be tried again. */
async function bodyOf(response: Response, { target, signal }: ApiRequest): Promise<ApiResponse['body']> {
  const { body } = response;
  if (body === null) return undefined;
  if (isStreaming(target) && response.ok) return chunksOf(body, signal);
  const bytes = new Uint8Array(await send(() => response.arrayBuffer(), signal));
  return bytes.length === 0 ? undefined : bytes;
}

async function* chunksOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await send(() => reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: cancelling a stream that has failed rejects with its failure, which the reader has seen already.
    reader.cancel().catch(() => undefined);
  }
}

/** fetch joins repeated headers with ", "; a warning is `299 - "text"`, so it is split outside quotes. */
function splitWarnings([name, value]: readonly [string, string]): (readonly [string, string])[] {
  if (name !== 'warning') return [[name, value]];
  const warnings = value.match(/\d{3} [^ ]+ "(?:[^"\\]|\\.)*"(?: "[^"]*")?/g) ?? [value];
  return warnings.map((one) => [name, one]);
}
