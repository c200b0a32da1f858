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
    }
  /** The caller aborted. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** Flow control: the caller consumed this many bytes of a stream. */
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
  | { readonly kind: 'chunk'; readonly id: number; readonly chunk: string | Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
