import type { ServiceTransport } from '../../cluster/index.ts';
import { ByteQueue, type Env, errorMessage, OutboundError } from '../../env/index.ts';
import { type ApiServerHandler, createHandlerTransport, originOf } from '../service-handlers.ts';

type ServiceRequest = Parameters<ServiceTransport['send']>[0];

/** Messages on the channel between a cluster in a worker and the pages of its origin, whose scripts register API servers. */
type ApiServerMessage =
  | { readonly kind: 'find'; readonly id: string; readonly origin: string }
  /** The page has a handler of the origin. */
  | { readonly kind: 'found'; readonly id: string; readonly page: string }
  /** To one of these pages, since a request may change something. */
  | { readonly kind: 'request'; readonly id: string; readonly page: string; readonly request: Omit<ServiceRequest, 'signal'> }
  | {
      readonly kind: 'head';
      readonly id: string;
      readonly status: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
    }
  | { readonly kind: 'part'; readonly id: string; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: string }
  | { readonly kind: 'failed'; readonly id: string; readonly message: string }
  /** The client has left. */
  | { readonly kind: 'cancel'; readonly id: string };

/** Time for pages to report a handler. */
const findMs = 1_000;

const channelName = 'tabplane-api-servers';

/** Sends requests to the handlers of the open pages, by the origin of their Service. */
export function createPageTransport({ clock, random }: Pick<Env, 'clock' | 'random'>): ServiceTransport {
  return {
    send: ({ signal, ...request }) =>
      new Promise((resolve, reject) => {
        const id = random.uuid();
        const channel = new BroadcastChannel(channelName);
        const post = (message: ApiServerMessage): void => channel.postMessage(message);
        const body = new ByteQueue();
        const fail = (error: Error): void => {
          reject(error);
          body.fail(error);
          close();
        };
        let isOpen = true;
        const close = (): void => {
          isOpen = false;
          channel.close();
          signal.removeEventListener('abort', abort);
        };
        const leave = (): void => {
          if (isOpen) post({ kind: 'cancel', id });
          close();
        };
        const abort = (): void => {
          unregistered();
          leave();
          fail(signal.reason instanceof Error ? signal.reason : new Error(errorMessage(signal.reason)));
        };
        const unregistered = clock.schedule(findMs, () =>
          fail(new OutboundError('unreachable', `dial tcp ${request.host}:${request.port}: connect: no route to host`)),
        );
        let isSent = false;
        channel.onmessage = ({ data }: MessageEvent<ApiServerMessage>) => {
          if (data.id !== id) return;
          switch (data.kind) {
            case 'found':
              if (isSent) return;
              isSent = true;
              unregistered();
              return post({ kind: 'request', id, page: data.page, request });
            case 'head':
              return resolve({ status: data.status, headers: data.headers, body: untilLeft(body, leave) });
            case 'part':
              return void body.push(data.bytes);
            case 'failed':
              return fail(new OutboundError('reset', data.message));
            case 'end':
              body.end();
              return close();
          }
        };
        signal.addEventListener('abort', abort, { once: true });
        post({ kind: 'find', id, origin: originOf(request) });
      }),
  };
}

/** The bytes; `leave` is called when the reader needs no more. */
async function* untilLeft(body: ByteQueue, leave: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* { [Symbol.asyncIterator]: () => body[Symbol.asyncIterator]() };
  } finally {
    leave();
  }
}

/** Answers requests with the handlers of this page. The returned function stops it. */
export function servePageApiServers(handlers: ReadonlyMap<string, ApiServerHandler>, { random }: Pick<Env, 'random'>): () => void {
  const own = random.uuid();
  const transport = createHandlerTransport(handlers);
  const channel = new BroadcastChannel(channelName);
  const post = (message: ApiServerMessage): void => channel.postMessage(message);
  const running = new Map<string, AbortController>();
  const answer = async (id: string, request: Omit<ServiceRequest, 'signal'>): Promise<void> => {
    const cancelled = new AbortController();
    running.set(id, cancelled);
    try {
      const { status, headers, body } = await transport.send({ ...request, signal: cancelled.signal });
      post({ kind: 'head', id, status, headers });
      for await (const bytes of body) {
        if (cancelled.signal.aborted) return;
        post({ kind: 'part', id, bytes });
      }
      post({ kind: 'end', id });
    } catch (error) {
      post({ kind: 'failed', id, message: errorMessage(error) });
    } finally {
      running.delete(id);
    }
  };
  channel.onmessage = ({ data }: MessageEvent<ApiServerMessage>) => {
    if (data.kind === 'find' && handlers.has(data.origin)) post({ kind: 'found', id: data.id, page: own });
    else if (data.kind === 'request' && data.page === own) void answer(data.id, data.request);
    else if (data.kind === 'cancel') running.get(data.id)?.abort(new Error('the client has left'));
  };
  return () => channel.close();
}
