/** What goes through a message port between a page and the core, and what comes back: one file for both ends. */

/** A MessagePort, a Worker, or a worker's own scope. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

export type HeaderList = readonly (readonly [name: string, value: string])[];

export type ToCore =
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: string;
      readonly target: string;
      readonly headers: HeaderList;
      readonly body: Uint8Array | undefined;
    }
  /** The caller has gone. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** So many bytes of a stream were taken by the caller, so many more may follow. */
  | { readonly kind: 'taken'; readonly id: number; readonly bytes: number };

export type FromCore =
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly status: number;
      readonly headers: HeaderList;
      /** Undefined when there is none or when it `streams`. */
      readonly body: string | Uint8Array | undefined;
      readonly streams: boolean;
    }
  | { readonly kind: 'chunk'; readonly id: number; readonly chunk: string | Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
