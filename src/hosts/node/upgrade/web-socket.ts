import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { WebSocketConnection, WebSocketMessage } from '../../../meta/index.ts';
import type { UpgradableConnection } from '../http/exchange.ts';

/** Limit of one message (golang.org/x/net/websocket, DefaultMaxPayloadBytes). */
export const maxMessageBytes: number = 32 << 20;
/** Reading pauses while more messages than this are unread. */
const maxUnreadMessages = 64;

/** Does the opening handshake; undefined when the request is no valid one, which is answered. */
export function acceptWebSocket(
  { incoming, socket, head }: UpgradableConnection,
  protocol: string | undefined,
): Promise<WebSocketConnection | undefined> {
  const server = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: maxMessageBytes });
  // The protocol is chosen already, and some names of the API are not tokens of HTTP, which the library would refuse.
  const { 'sec-websocket-protocol': _, ...headers } = incoming.headers;
  server.on('headers', (lines) => {
    if (protocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
  });
  const request = Object.create(incoming, { headers: { value: headers } }) as IncomingMessage;
  return new Promise((resolve) => {
    socket.once('close', () => resolve(undefined));
    server.handleUpgrade(request, socket, head, (webSocket) => resolve(connectionOf(webSocket)));
  });
}

/** The connection of an open WebSocket, of a server or of a client. */
export function connectionOf(webSocket: WebSocket): WebSocketConnection {
  const disconnection = new AbortController();
  webSocket.once('close', () => disconnection.abort(new Error('the other end has disconnected')));
  return {
    signal: disconnection.signal,
    messages: messagesOf(webSocket),
    send: (message) =>
      new Promise((resolve) => {
        // An error means that the client has disconnected, which the end of the messages shows.
        webSocket.send(message, { binary: typeof message !== 'string' }, () => resolve());
      }),
    close: (code = 1000) =>
      new Promise((resolve) => {
        if (webSocket.readyState === webSocket.CLOSED) return resolve();
        webSocket.once('close', () => resolve());
        webSocket.close(code);
      }),
  };
}

/** Receives from the beginning on: messages may arrive before they are read. */
function messagesOf(webSocket: WebSocket): AsyncIterable<WebSocketMessage> {
  const unread: WebSocketMessage[] = [];
  let isEnded = false;
  let wake: (() => void) | undefined;
  const end = (): void => {
    isEnded = true;
    wake?.();
  };
  webSocket.on('message', (data, isBinary) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    unread.push(isBinary ? bytes : bytes.toString('utf8'));
    if (unread.length >= maxUnreadMessages) webSocket.pause();
    wake?.();
  });
  webSocket.on('close', end);
  // A protocol error closes the connection.
  webSocket.on('error', end);
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        while (unread.length === 0 && !isEnded)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        const value = unread.shift();
        if (unread.length === 0 && webSocket.isPaused) webSocket.resume();
        return value === undefined ? { done: true, value: undefined } : { done: false, value };
      },
      async return() {
        end();
        return { done: true, value: undefined };
      },
    }),
  };
}
