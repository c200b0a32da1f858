import { type Clock, errorMessage, type Outbound, OutboundError, type OutboundRequest } from '../env/index.ts';
import type { JsonObject } from '../meta/index.ts';

/**
 * A webhook that is a function: gets an AdmissionReview or ConversionReview with its `request`, and returns one with a `response`. An error
 * is a response with status 500.
 */
export type WebhookHandler = (review: JsonObject) => unknown;

/** Calls the handler of a URL; resolves with undefined when there is none. Rejects with the error of the handler. */
export type CallHandler = (url: string, review: JsonObject) => Promise<{ readonly review: unknown } | undefined>;

/** The handlers of a cluster in the same thread. */
export function createHandlerCaller(handlers: ReadonlyMap<string, WebhookHandler>): CallHandler {
  return async (url, review) => {
    const handler = handlers.get(url);
    return handler && { review: await handler(review) };
  };
}

/**
 * Sends reviews to handlers by URL, without a network. The webhook of a Service has the URL `https://NAME.NAMESPACE.svc`, its port unless it
 * is 443, and its path.
 */
export function createHandlerOutbound(call: CallHandler, clock: Pick<Clock, 'schedule'>): Outbound {
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const late = (): void => reject(new OutboundError('timeout', 'context deadline exceeded'));
        const cancel = clock.schedule(request.timeoutMs, late);
        const url = urlOf(request);
        call(url.href, JSON.parse(request.body ?? '{}') as JsonObject)
          .then(
            (done) => {
              if (done) resolve({ status: 200, headers: {}, body: JSON.stringify(done.review) ?? '' });
              else reject(new OutboundError('unreachable', dialError(request)));
            },
            (error: unknown) => resolve({ status: 500, headers: {}, body: errorMessage(error) }),
          )
          .finally(cancel);
      }),
  };
}

/** The error of a URL without a handler. A Service has an address, where nothing accepts connections. */
function dialError({ url, tls }: OutboundRequest): string {
  const { host, hostname } = new URL(url);
  return tls.serverName === undefined ? `dial tcp: lookup ${hostname}: no such host` : `dial tcp ${host}: connect: connection refused`;
}

/** Without the timeout, which clients add, and with the name of the Service instead of its address. */
function urlOf({ url, tls }: OutboundRequest): URL {
  const registered = new URL(url);
  registered.searchParams.delete('timeout');
  if (tls.serverName !== undefined) registered.hostname = tls.serverName;
  return registered;
}
