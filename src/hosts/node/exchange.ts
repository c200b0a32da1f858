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
  /** Of HTTP/2, the connection that it shares with others. */
  readonly session: Http2ServerRequest['stream']['session'];
  /** A watch: it lasts until one side ends it. */
  isEventStream = false;
  /** How often the answer was found written, but not sent. */
  timesFoundUnsent = 0;
  #controller: AbortController | undefined;
  #endReason: string | undefined;
  readonly #onEnd: (() => void)[] = [];

  constructor(incoming: Incoming, outgoing: Outgoing) {
    this.outgoing = outgoing;
    this.session = 'stream' in incoming ? incoming.stream.session : undefined;
  }

  /** Only the first reason counts. */
  end(reason: string): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = reason;
    this.#controller?.abort(new Error(reason));
    for (const run of this.#onEnd) run();
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
    return new Promise((resolve) => {
      if (this.#endReason === undefined) this.#onEnd.push(resolve);
      else resolve();
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
