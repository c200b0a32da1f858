import { createHttpHandler } from '../../client/index.ts';
import type { ApiHandler, ProductName } from '../../meta/index.ts';
import { openWebSocket } from './open-web-socket.ts';

export interface RemoteServer {
  /** Absolute base URL of its API. */
  readonly baseUrl: string;
  /** The product names of its API. */
  readonly names: ProductName;
}

/** Reaches an API server of another origin, by fetch and WebSockets. */
export function connectRemoteServer({ baseUrl, names }: RemoteServer): ApiHandler {
  const http = createHttpHandler({ baseUrl, marker: 'ignored', fetch: (url, init) => fetch(url, init) });
  const send: ApiHandler = (request) => {
    const headers = new Headers([...request.headers]);
    headers.set('accept', shortAccept(headers.get('accept') ?? '*/*'));
    return http({ ...request, headers });
  };
  return (request) => (request.acceptsUpgrade ? openWebSocket(request, { baseUrl, names, refusalOf: send }) : send(request));
}

/** A longer value needs the permission of the server, and kube-apiserver does not give it (fetch, CORS-safelisted request headers). */
const acceptMax = 128;

/** Leaves out the last alternatives before the most general one. */
function shortAccept(accept: string): string {
  const alternatives = accept.split(',');
  while (alternatives.join(',').length > acceptMax && alternatives.length > 1) alternatives.splice(-2, 1);
  return alternatives.join(',');
}
