import { type ApiHandler, type ApiRequest, type ApiResponse, attemptIdHeader } from '../../meta/index.ts';
import { isStreaming, markerHeader, userAgentHeader } from './request-target.ts';
import { TransportError } from './transport-error.ts';

export interface HttpHandlerOptions {
  /** Absolute, with or without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** `required`: rejects responses without the worker's marker header, which come from a static file server. */
  readonly marker: 'required' | 'ignored';
}

/** Reaches the cluster at `baseUrl` by fetch: a Service Worker that intercepts it, or a remote server. */
export function createHttpHandler({ baseUrl, fetch, marker }: HttpHandlerOptions): ApiHandler {
  const base = baseUrl.replace(/\/$/, '');
  return async (request) => {
    const init = requestInit(request, requestHeaders(request, marker));
    const response = await wrapNetworkErrors(() => fetch(base + request.target, init), request.signal);
    if (marker === 'required') checkMarker(response);
    return {
      status: response.status,
      headers: [...response.headers].flatMap(splitWarnings),
      body: await readBody(response, request),
    };
  };
}

function requestHeaders({ headers }: ApiRequest, marker: HttpHandlerOptions['marker']): Headers {
  const sent = new Headers([...headers]);
  if (marker === 'required') sent.set(userAgentHeader, headers.get('user-agent') ?? '');
  // Remote servers do not support this header, and CORS would block it.
  else sent.delete(attemptIdHeader);
  return sent;
}

function requestInit({ method, body, signal }: ApiRequest, headers: Headers): RequestInit {
  // `no-store`: responses of a cluster must not come from the HTTP cache.
  const init: RequestInit = { method, headers: [...headers], signal, cache: 'no-store', credentials: 'omit' };
  return body === undefined ? init : { ...init, body: body as Uint8Array<ArrayBuffer> };
}

/** Rethrows the caller's abort reason. Wraps every other failure of fetch in a TransportError. */
async function wrapNetworkErrors<Result>(run: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
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

/** Reads a finite response completely, so that a connection that breaks in the middle can be retried. */
async function readBody(response: Response, { target, signal }: ApiRequest): Promise<ApiResponse['body']> {
  const { body } = response;
  if (body === null) return undefined;
  if (isStreaming(target) && response.ok) return readChunks(body, signal);
  const bytes = new Uint8Array(await wrapNetworkErrors(() => response.arrayBuffer(), signal));
  return bytes.length === 0 ? undefined : bytes;
}

async function* readChunks(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await wrapNetworkErrors(() => reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: cancelling a failed stream rejects with the failure that the reader has already received.
    reader.cancel().catch(() => undefined);
  }
}

/** fetch joins repeated headers with ", ". Splits warnings (`299 - "text"`) again, outside quotes. */
function splitWarnings([name, value]: readonly [string, string]): (readonly [string, string])[] {
  if (name !== 'warning') return [[name, value]];
  const warnings = value.match(/\d{3} [^ ]+ "(?:[^"\\]|\\.)*"(?: "[^"]*")?/g) ?? [value];
  return warnings.map((one) => [name, one]);
}
