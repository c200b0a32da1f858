import { errorMessage } from '../../env/index.ts';
import { type ApiHandler, type ApiResponse, isStream } from '../../meta/index.ts';
import type { Port, RequestMessage, ResponseMessage } from './port-messages.ts';
import { ServedRequest } from './served-request.ts';

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
    if (!answer.upgrade) return await sendResponse(answer, id, post, call);
    // Loaded on demand: most pages run no commands in containers.
    const { switchProtocols } = await import('./switch-protocols.ts');
    await switchProtocols(answer, answer.upgrade, id, post, call);
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
