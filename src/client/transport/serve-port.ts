import { createMessagePair, errorMessage, type MessageConnection, messageSize } from '../../env/index.ts';
import type { ApiHandler, ApiResponse, ProtocolSwitch, ResponseBody, WebSocketMessage } from '../../meta/index.ts';
import type { Port, RequestMessage, ResponseMessage } from './port-messages.ts';

/** Limit of bytes sent but not acknowledged. Beyond it the stream ends, and its reader resumes with a new request. */
const unreadMaxBytes = 4 * 1024 * 1024;

/** After this number of bytes that were sent but not acknowledged, a switched connection waits. */
const unacknowledgedBytes = 256 * 1024;

/** The server's end of a port. Returns a function that aborts all pending requests. */
export function servePort(port: Port, handle: ApiHandler): () => void {
  const calls = new Map<number, ServedRequest>();
  port.addEventListener('message', ({ data }) => {
    const message = data as RequestMessage;
    if (message.kind === 'cancel') calls.get(message.id)?.abort.abort();
    else if (message.kind === 'taken') calls.get(message.id)?.acknowledge(message.bytes);
    else if (message.kind === 'message') calls.get(message.id)?.receive(message.message);
    else {
      const call = new ServedRequest();
      calls.set(message.id, call);
      void serve(port, handle, message, call).finally(() => calls.delete(message.id));
    }
  });
  return () => {
    for (const call of calls.values()) call.abort.abort();
  };
}

class ServedRequest {
  readonly abort: AbortController = new AbortController();
  /** Receives a message of the client, when the connection has switched protocols. */
  receive: (message: unknown) => void = () => {};
  #unread = 0;
  #resume = (): void => {};

  acknowledge(bytes: number): void {
    this.#unread -= bytes;
    this.#resume();
  }

  /** Resolves when the client has read enough, or has disconnected. */
  async whenRead(): Promise<void> {
    while (this.#unread > unacknowledgedBytes && !this.abort.signal.aborted)
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
        this.abort.signal.addEventListener('abort', () => resolve(), { once: true });
      });
  }

  /** False when the unread bytes exceed the limit. */
  countSent(bytes: number): boolean {
    this.#unread += bytes;
    return this.#unread <= unreadMaxBytes;
  }
}

async function serve(
  port: Port,
  handle: ApiHandler,
  request: Extract<RequestMessage, { kind: 'request' }>,
  call: ServedRequest,
): Promise<void> {
  const { id, method, target, body, acceptsUpgrade } = request;
  const { signal } = call.abort;
  const post = (message: ResponseMessage): void => {
    if (!signal.aborted) port.postMessage(message);
  };
  try {
    const headers = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]));
    const answer = await handle({ method, target, headers, body, acceptsUpgrade, signal });
    await (answer.upgrade ? switchProtocols(answer, answer.upgrade, id, post, call) : sendResponse(answer, id, post, call));
  } catch (error) {
    post({ kind: 'failed', id, message: errorMessage(error) });
  }
}

async function sendResponse(
  { status, headers, body }: ApiResponse,
  id: number,
  post: (message: ResponseMessage) => void,
  call: ServedRequest,
): Promise<void> {
  if (!isStream(body)) return post({ kind: 'answer', id, status, headers, body, streams: false });
  post({ kind: 'answer', id, status, headers, body: undefined, streams: true });
  const iterator = body[Symbol.asyncIterator]();
  // Ends an idle stream at once: it would otherwise notice the abort only at its next event.
  call.abort.signal.addEventListener('abort', () => void iterator.return?.(), { once: true });
  for (let next = await iterator.next(); next.done !== true && !call.abort.signal.aborted; next = await iterator.next()) {
    post({ kind: 'chunk', id, chunk: next.value });
    if (!call.countSent(next.value.length)) break;
  }
  await iterator.return?.();
  post({ kind: 'end', id });
}

async function switchProtocols(
  { headers }: ApiResponse,
  upgrade: ProtocolSwitch,
  id: number,
  post: (message: ResponseMessage) => void,
  call: ServedRequest,
): Promise<void> {
  if (upgrade.kind === 'bytes') {
    upgrade.cancel();
    throw new Error('a message port cannot switch to a protocol of bytes');
  }
  post({ kind: 'switched', id, headers, to: upgrade.kind, protocol: upgrade.kind === 'websocket' ? upgrade.protocol : undefined });
  if (upgrade.kind === 'port') {
    const [server, client] = createMessagePair<unknown>();
    await Promise.all([upgrade.serve(server).finally(() => server.close()), relay(client, id, post, call)]);
  } else {
    const [server, client] = createMessagePair<WebSocketMessage>();
    await Promise.all([upgrade.serve(server).finally(() => server.close()), relay(client, id, post, call)]);
  }
  post({ kind: 'end', id });
}

/** Connects the client of the port with the server of a switched connection. */
async function relay<Message>(
  connection: MessageConnection<Message>,
  id: number,
  post: (message: ResponseMessage) => void,
  call: ServedRequest,
): Promise<void> {
  // Clients send what the protocol has.
  call.receive = (message) => void connection.send(message as Message);
  call.abort.signal.addEventListener('abort', () => void connection.close(), { once: true });
  for await (const message of connection.messages) {
    post({ kind: 'chunk', id, chunk: message });
    call.countSent(messageSize(message));
    await call.whenRead();
  }
}

function isStream(body: ResponseBody): body is AsyncIterable<string | Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}
