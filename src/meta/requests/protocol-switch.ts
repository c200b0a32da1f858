import type { ByteStream, MessageConnection } from '../../env/index.ts';

/** How a connection continues after the response `101 Switching Protocols`. The host calls one of the two functions, once. */
export type ProtocolSwitch = WebSocketSwitch | ByteSwitch | PortSwitch;

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

/** Messages of any cloneable value, between threads of one host and for its own paths: no request from outside gets it. */
export interface PortSwitch {
  readonly kind: 'port';
  serve(connection: MessageConnection<unknown>): Promise<void>;
  cancel(): void;
}

export type WebSocketMessage = string | Uint8Array;

export type WebSocketConnection = MessageConnection<WebSocketMessage>;
