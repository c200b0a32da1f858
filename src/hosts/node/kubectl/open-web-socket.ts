import type { IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { WebSocket } from 'ws';
import type { ApiResponse, RequestHeaders, WebSocketConnection } from '../../../meta/index.ts';
import { connectionError } from '../http/outbound.ts';
import { connectionOf, maxMessageBytes } from '../upgrade/web-socket.ts';
import { pairsOf } from './raw-headers.ts';

export interface WebSocketRequest {
  /** With the scheme `http` or `https`. */
  readonly url: string;
  readonly headers: RequestHeaders;
  /** Of https. */
  readonly agent: Agent | undefined;
  readonly signal: AbortSignal;
}

/** Opens a WebSocket; the result is the response 101, or the one with which the server refuses. @throws OutboundError */
export function openWebSocket({ url, headers, agent, signal }: WebSocketRequest): Promise<ApiResponse> {
  const isOwn = (name: string): boolean => /^(?:upgrade|connection|sec-websocket-.*)$/.test(name);
  const protocols = (headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return new Promise((resolve, reject) => {
    const webSocket = new WebSocket(url.replace(/^http/, 'ws'), protocols, {
      headers: Object.fromEntries([...headers].filter(([name]) => !isOwn(name))),
      perMessageDeflate: false,
      maxPayload: maxMessageBytes,
      ...(agent === undefined ? {} : { agent }),
    });
    const stop = (): void => webSocket.terminate();
    signal.addEventListener('abort', stop, { once: true });
    webSocket.on('close', () => signal.removeEventListener('abort', stop));
    webSocket.on('error', (error) => reject(signal.aborted ? signal.reason : connectionError(error, url)));
    webSocket.on('unexpected-response', (_, response: IncomingMessage) =>
      resolve({ status: response.statusCode ?? 0, headers: [...pairsOf(response.rawHeaders)], body: response }),
    );
    webSocket.on('open', () => {
      const server = connectionOf(webSocket);
      const serve = (client: WebSocketConnection): Promise<void> => relay(client, server);
      resolve({
        status: 101,
        headers: [],
        body: undefined,
        upgrade: { kind: 'websocket', protocol: webSocket.protocol || undefined, serve, cancel: stop },
      });
    });
  });
}

/** Passes messages in both directions until one end closes the connection. */
async function relay(client: WebSocketConnection, server: WebSocketConnection): Promise<void> {
  const sendAll = async (from: WebSocketConnection, to: WebSocketConnection): Promise<void> => {
    for await (const message of from.messages) await to.send(message);
    await to.close();
  };
  await Promise.all([sendAll(client, server), sendAll(server, client)]);
}
