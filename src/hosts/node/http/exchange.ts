import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse, type Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = ServerResponse | Http2ServerResponse;

/** What several exchanges share: an HTTP/2 session, or the socket of HTTP/1.1. */
export type Connection = Http2Session | Socket;

/** A connection that Node's HTTP parser has released. */
export interface UpgradableConnection {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that were received after the head. */
  readonly head: Buffer;
}

/**
 * A request and its response, until the last byte is sent or the client has disconnected. The abort signal is created lazily: few requests
 * need it, and creating and aborting a signal costs as much as a small response.
 */
export class Exchange {
  readonly outgoing: Outgoing;
  /** The connection of a request with the header Upgrade, which may continue with another protocol. */
  readonly upgradable: UpgradableConnection | undefined;
  /** Undefined: the HTTP/2 session has ended. */
  readonly connection: Connection | undefined;
  /** Whether it is a watch, which lasts until one side ends it. */
  isEventStream = false;
  /** Number of sweeps that found the response written, but not sent. */
  unsentSweeps = 0;
  #controller: AbortController | undefined;
  #endReason: string | undefined;
  #onEnd: (() => void) | undefined;

  constructor(incoming: Incoming, outgoing: Outgoing, upgradable?: UpgradableConnection) {
    this.outgoing = outgoing;
    this.upgradable = upgradable;
    this.connection = 'stream' in incoming ? incoming.stream.session : incoming.socket;
  }

  /** Ends the exchange; only the first reason is used. */
  end(reason: string): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = reason;
    this.#controller?.abort(new Error(reason));
    this.#onEnd?.();
  }

  get isEnded(): boolean {
    return this.#endReason !== undefined;
  }

  /** Aborts an incomplete response, so that the client detects the truncation. */
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

  /** Aborted when the exchange ends. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#endReason !== undefined) this.#controller.abort(new Error(this.#endReason));
    }
    return this.#controller.signal;
  }
}
