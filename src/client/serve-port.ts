import type { ApiHandler, ApiResponse, ResponseBody } from '../meta/index.ts';
import type { FromCore, Port, ToCore } from './port-messages.ts';

/** Sent but not taken by the page: beyond this a stream is ended, and its reader resumes when it reads again. */
const unreadMax = 4 * 1024 * 1024;

/** The core's end of a port. Returns what ends all that is under way. */
export function servePort(port: Port, handle: ApiHandler): () => void {
  const calls = new Map<number, Served>();
  port.addEventListener('message', ({ data }) => {
    const message = data as ToCore;
    if (message.kind === 'cancel') calls.get(message.id)?.abort.abort();
    else if (message.kind === 'taken') calls.get(message.id)?.taken(message.bytes);
    else {
      const call = new Served();
      calls.set(message.id, call);
      void serve(port, handle, message, call).finally(() => calls.delete(message.id));
    }
  });
  return () => {
    for (const call of calls.values()) call.abort.abort();
  };
}

class Served {
  readonly abort: AbortController = new AbortController();
  #unread = 0;

  taken(bytes: number): void {
    this.#unread -= bytes;
  }

  /** False when the reader is too far behind for more. */
  sent(bytes: number): boolean {
    this.#unread += bytes;
    return this.#unread <= unreadMax;
  }
}

async function serve(port: Port, handle: ApiHandler, request: Extract<ToCore, { kind: 'request' }>, call: Served): Promise<void> {
  const { id, method, target, body } = request;
  const { signal } = call.abort;
  const post = (message: FromCore): void => {
    if (!signal.aborted) port.postMessage(message);
  };
  try {
    const headers = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]));
    const answer = await handle({ method, target, headers, body, signal });
    await sendAnswer(answer, id, post, call);
  } catch (error) {
    post({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
}

async function sendAnswer(
  { status, headers, body }: ApiResponse,
  id: number,
  post: (message: FromCore) => void,
  call: Served,
): Promise<void> {
  if (!isStream(body)) return post({ kind: 'answer', id, status, headers, body, streams: false });
  post({ kind: 'answer', id, status, headers, body: undefined, streams: true });
  const iterator = body[Symbol.asyncIterator]();
  // A stream that waits for its next event is told at once that its reader has gone.
  call.abort.signal.addEventListener('abort', () => void iterator.return?.(), { once: true });
  for (let next = await iterator.next(); next.done !== true && !call.abort.signal.aborted; next = await iterator.next()) {
    post({ kind: 'chunk', id, chunk: next.value });
    if (!call.sent(next.value.length)) break;
  }
  await iterator.return?.();
  post({ kind: 'end', id });
}

function isStream(body: ResponseBody): body is AsyncIterable<string | Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}
