/** A request of a page within the frame of a port. URLs are resolved by the frame. */
export interface PortRequest {
  readonly method: string;
  readonly url: string;
  readonly contentType: string;
  readonly body: string | Uint8Array | undefined;
}

export interface PortResponse {
  /** 0: there is none; the body is the error. */
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Of the frame to the console, on the port of the first message of the console. */
export type FromPortFrame =
  | { readonly kind: 'fetch'; readonly id: number; readonly request: PortRequest }
  | { readonly kind: 'navigate'; readonly request: PortRequest };

/** Of the console to the frame. */
export type ToPortFrame =
  /** The document to show, and its URL. */
  | { readonly kind: 'show'; readonly url: string; readonly html: string }
  | { readonly kind: 'response'; readonly id: number; readonly response: PortResponse };
