/** Messages of the port between a page and the API server in its worker. */

/** A MessagePort, a Worker, or a worker's global scope. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

export type HeaderList = readonly (readonly [name: string, value: string])[];

export type RequestMessage =
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: string;
      readonly target: string;
      readonly headers: HeaderList;
      readonly body: Uint8Array | undefined;
      readonly acceptsUpgrade: boolean;
    }
  /** Of a connection that has switched protocols. */
  | { readonly kind: 'message'; readonly id: number; readonly message: unknown }
  /** The caller aborted, or has closed the connection. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** Flow control: the caller consumed this many bytes of a stream, or of messages. */
  | { readonly kind: 'taken'; readonly id: number; readonly bytes: number };

export type ResponseMessage =
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly status: number;
      readonly headers: HeaderList;
      /** Undefined without a body and when it `streams`. */
      readonly body: string | Uint8Array | undefined;
      readonly streams: boolean;
    }
  /** The connection has switched protocols: messages follow, then the end. */
  | {
      readonly kind: 'switched';
      readonly id: number;
      readonly headers: HeaderList;
      readonly to: 'websocket' | 'port';
      readonly protocol: string | undefined;
    }
  /** A part of a stream: text or bytes; or a message of the switched connection. */
  | { readonly kind: 'chunk'; readonly id: number; readonly chunk: unknown }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
