import { type Clock, errorMessage, type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest } from '../../env/index.ts';
import { headerOf, sendHttp } from '../../http/index.ts';
import { parseIp } from '../../meta/index.ts';
import { NetworkError } from '../../network/index.ts';
import type { Dialer } from '../../streaming/index.ts';

export interface NetworkOutboundOptions {
  /** Reaches everything else. */
  readonly outbound: Outbound;
  /** Undefined: there is no network of pods. */
  readonly dialer: () => Dialer | undefined;
  readonly clock: Pick<Clock, 'schedule'>;
}

/** Sends requests to addresses of the cluster's network through it: webhooks behind a Service may run in pods. */
export function createNetworkOutbound({ outbound, dialer, clock }: NetworkOutboundOptions): Outbound {
  return {
    async send(request) {
      const url = new URL(request.url);
      const network = dialer();
      if (!network || !parseIp(url.hostname.replace(/^\[|\]$/g, ''))) return outbound.send(request);
      const deadline = new AbortController();
      const cancel = clock.schedule(request.timeoutMs, () => deadline.abort(new OutboundError('timeout', 'context deadline exceeded')));
      try {
        return await sendThrough(network, url, request, deadline.signal);
      } catch (error) {
        // No pod has the address: it may be one of another network.
        if (error instanceof NetworkError && error.code === 'EHOSTUNREACH') return await outbound.send(request);
        if (deadline.signal.aborted) throw deadline.signal.reason;
        throw new OutboundError(
          error instanceof NetworkError && error.code === 'ECONNRESET' ? 'reset' : 'unreachable',
          errorMessage(error),
          error,
        );
      } finally {
        cancel();
      }
    },
  };
}

async function sendThrough(network: Dialer, url: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
  const { method, headers, body, tls } = request;
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const verified = { serverName: tls.serverName ?? host, authorities: tls.unverified ? undefined : (tls.authorities ?? '') };
  const port = Number(url.port) || (isSecure ? 443 : 80);
  const stream = await network.dial({ host, port, tls: isSecure ? verified : undefined }, signal);
  const abort = (): void => stream.abort(new OutboundError('timeout', 'context deadline exceeded'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
    const response = await sendHttp(stream, {
      method,
      target: `${url.pathname}${url.search}`,
      headers: [['Host', tls.serverName ?? url.host], ...lines, ['Connection', 'close']],
      body: body === undefined ? undefined : new TextEncoder().encode(body),
    });
    const names = new Set(response.headers.map(([name]) => name));
    const answered = Object.fromEntries([...names].map((name) => [name, headerOf(response.headers, name)]));
    return { status: response.status, headers: answered, body: await textOf(response.body) };
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of source) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}
