import { errorMessage, OutboundError, type OutboundTls } from '../../env/index.ts';
import { type ClientRequest, type HttpResponse, sendHttp } from '../../http/index.ts';
import { NetworkError } from '../../network/index.ts';
import type { Dialer } from '../../streaming/index.ts';

/** A request to an aggregated API server, over https. */
export interface ServiceRequest extends ClientRequest {
  readonly host: string;
  readonly port: number;
  /** With the name of the Service as server name. */
  readonly tls: OutboundTls & { readonly serverName: string };
  readonly signal: AbortSignal;
}

/** Sends requests to aggregated API servers; the bodies of responses are streams. */
export interface ServiceTransport {
  /** @throws OutboundError when there is no response */
  send(request: ServiceRequest): Promise<HttpResponse>;
}

/** Reaches the network of the cluster, if there is one, and everything else by the host's transport. */
export function createServiceTransport(host: ServiceTransport | undefined, dialer: () => Dialer | undefined): ServiceTransport {
  return {
    async send(request) {
      const network = dialer();
      if (network) {
        try {
          return await sendThrough(network, request);
        } catch (error) {
          // No pod has the address: it may be one of another network.
          if (!(error instanceof NetworkError && error.code === 'EHOSTUNREACH' && host)) throw unreachable(error);
        }
      }
      if (!host) throw new OutboundError('unreachable', `dial tcp ${request.host}:${request.port}: connect: no route to host`);
      return host.send(request);
    },
  };
}

async function sendThrough(network: Dialer, { host, port, tls, signal, ...request }: ServiceRequest): Promise<HttpResponse> {
  const authorities = tls.unverified ? undefined : (tls.authorities ?? '');
  const stream = await network.dial({ host, port, tls: { serverName: tls.serverName, authorities } }, signal);
  return sendHttp(stream, request);
}

function unreachable(error: unknown): OutboundError {
  return new OutboundError('unreachable', errorMessage(error), error);
}
