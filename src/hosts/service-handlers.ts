import type { ServiceTransport } from '../cluster/index.ts';
import { errorMessage, OutboundError } from '../env/index.ts';

/** An aggregated API server that is a function. */
export type ApiServerHandler = (request: Request) => Response | Promise<Response>;

/** The origin of the Service of a request. */
export function originOf({ port, tls: { serverName } }: Pick<Parameters<ServiceTransport['send']>[0], 'port' | 'tls'>): string {
  return new URL(`https://${serverName}:${port}`).origin;
}

/** Sends requests to functions by the origin of their Service: `https://NAME.NAMESPACE.svc`, with its port unless it is 443. */
export function createHandlerTransport(handlers: ReadonlyMap<string, ApiServerHandler>): ServiceTransport {
  return {
    async send({ host, port, tls, method, target, headers, body, signal }) {
      const origin = originOf({ port, tls });
      const handler = handlers.get(origin);
      if (!handler) throw new OutboundError('unreachable', `dial tcp ${host}:${port}: connect: no route to host`);
      const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]), signal };
      const request = new Request(`${origin}${target}`, body === undefined ? init : { ...init, body: body as BodyInit });
      const response = await call(handler, request);
      return { status: response.status, headers: [...response.headers], body: bytesOf(response, signal) };
    },
  };
}

/** @throws OutboundError for an error of the function */
async function call(handler: ApiServerHandler, request: Request): Promise<Response> {
  try {
    return await handler(request);
  } catch (error) {
    throw new OutboundError('reset', errorMessage(error), error);
  }
}

/** The body ends when the request is aborted. */
async function* bytesOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    await reader.cancel();
  }
}
