import type { ByteStream } from '../env/index.ts';

/** How a connection continues after the response `101 Switching Protocols`. The host calls one of the two functions, once. */
export type ProtocolSwitch = WebSocketSwitch | ByteSwitch;

/** The host does the opening handshake and the framing. */
export interface WebSocketSwitch {
  readonly kind: 'websocket';
  /** The chosen subprotocol; undefined: the response names none. */
  readonly protocol: string | undefined;
  /** Resolves when the server has closed the connection, or the client has. */
  serve(socket: WebSocketConnection): Promise<void>;
  /** The client has disconnected before the handshake. */
  cancel(): void;
}

/** The bytes of the connection belong to another protocol, or to another server. */
export interface ByteSwitch {
  readonly kind: 'bytes';
  serve(stream: ByteStream): Promise<void>;
  cancel(): void;
}

export type WebSocketMessage = string | Uint8Array;

export interface WebSocketConnection {
  /** Text or binary messages. Ends when the client closes the connection or disconnects. */
  readonly messages: AsyncIterable<WebSocketMessage>;
  /** Aborted when the client has disconnected, even while messages are unread. */
  readonly signal: AbortSignal;
  /** Resolves when the client can take more, or has disconnected. */
  send(message: WebSocketMessage): Promise<void>;
  /** Sends the closing handshake with a code of RFC 6455, by default 1000. */
  close(code?: number): Promise<void>;
}
