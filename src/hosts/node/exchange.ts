import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';

export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = ServerResponse | Http2ServerResponse;

/**
 * A request and its answer, until the last byte is sent or the client has disconnected. The signal of that is made when it is asked for:
 * hardly any request does, and to make and abort a signal costs as much as a small answer.
 */
export class Exchange {
  readonly outgoing: Outgoing;
  /** What it goes over: a session of HTTP/2, or a socket. */
  readonly connection: object | undefined;
  /** A watch: it lasts until one side ends it. */
  isEventStream = false;
  /** How often the answer was found written, but not sent. */
  timesFoundUnsent = 0;
  #controller: AbortController | undefined;
  #endReason: string | undefined;
  #onEnd: (() => void) | undefined;

  constructor(incoming: Incoming, outgoing: Outgoing) {
    this.outgoing = outgoing;
    this.connection = 'stream' in incoming ? incoming.stream.session : incoming.socket;
  }

  /** Only the first reason counts. */
  end(reason: string): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = reason;
    this.#controller?.abort(new Error(reason));
    this.#onEnd?.();
  }

  get isEnded(): boolean {
    return this.#endReason !== undefined;
  }

  /** Ends an answer before it is whole, so that the client does not take it for whole. */
  abort(): void {
    if ('stream' in this.outgoing) this.outgoing.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    else this.outgoing.destroy();
  }

  get ended(): Promise<void> {
    if (this.#endReason !== undefined) return Promise.resolve();
    const before = this.#onEnd;
    return new Promise((resolve) => {
      this.#onEnd = () => {
        before?.();
        resolve();
      };
    });
  }

  /** Aborted at the end. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#endReason !== undefined) this.#controller.abort(new Error(this.#endReason));
    }
    return this.#controller.signal;
  }
}
