import type { ApiRequest } from '../../../meta/index.ts';
import { StatusError } from '../../../meta/index.ts';
import type { Exchange, Incoming } from './exchange.ts';
import { pathOf } from './malformed-requests.ts';
import { NodeHeaders } from './node-headers.ts';

/** Up to this size, an unread body is discarded to reuse the connection; cf. Go's maxPostHandlerReadBytes. */
const maxDiscardedBytes = 256 << 10;

/** An incoming request. Its body is received on demand. */
export class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: NodeHeaders;
  readonly peer: NonNullable<ApiRequest['peer']>;
  readonly acceptsChunks = true;
  readonly acceptsUpgrade: boolean;
  receiveBody?: (maxBytes: number) => Promise<void>;
  #body: Uint8Array | undefined;
  #bodyIsTooLarge = false;
  #bodyIsUnread: boolean;
  readonly #incoming: Incoming;
  readonly #exchange: Exchange;

  constructor(incoming: Incoming, certificates: readonly Uint8Array[], exchange: Exchange) {
    const address = incoming.socket.remoteAddress;
    this.method = incoming.method ?? 'GET';
    this.target = pathOf(incoming.url ?? '/');
    this.headers = new NodeHeaders(incoming.headers, incoming.rawHeaders);
    this.peer = { certificates, isHttp2: 'stream' in incoming, ...(address === undefined ? {} : { address }) };
    this.acceptsUpgrade = exchange.upgradable !== undefined;
    this.#incoming = incoming;
    this.#exchange = exchange;
    this.#bodyIsUnread = hasBody(incoming);
    if (this.#bodyIsUnread) this.receiveBody = (maxBytes) => this.#receive(maxBytes);
  }

  get body(): Uint8Array | undefined {
    return this.#body;
  }

  get bodyIsTooLarge(): boolean {
    return this.#bodyIsTooLarge;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  /** Whether a part of the body may still arrive after the response. */
  get bodyIsUnread(): boolean {
    return this.#bodyIsUnread;
  }

  /** Whether the rest of the body is too long to discard, so that an HTTP/1.1 connection must be closed. */
  get endsConnection(): boolean {
    if (!this.#bodyIsUnread) return false;
    const length = this.#declaredBytes();
    return this.#expectsContinue() || length === undefined || length > maxDiscardedBytes;
  }

  #expectsContinue(): boolean {
    return /^100-continue$/i.test(this.#incoming.headers.expect ?? '');
  }

  #declaredBytes(): number | undefined {
    const length = this.#incoming.headers['content-length'];
    return length === undefined ? undefined : Number(length);
  }

  /** Receives the body; rejects when the upload is interrupted, so that no partial body is used. */
  #receive(maxBytes: number): Promise<void> {
    const incoming = this.#incoming;
    if ((this.#declaredBytes() ?? 0) > maxBytes) {
      this.#bodyIsTooLarge = true;
      return Promise.resolve();
    }
    if (this.#expectsContinue()) this.#exchange.outgoing.writeContinue();
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let size = 0;
      const broken = (): void => reject(new StatusError(500, '', 'unexpected EOF'));
      const receive = (part: Buffer): void => {
        size += part.length;
        if (size <= maxBytes) return void parts.push(part);
        this.#bodyIsTooLarge = true;
        parts.length = 0;
        incoming.off('data', receive);
        incoming.pause();
        resolve();
      };
      if (incoming.destroyed) return broken();
      incoming.on('data', receive);
      incoming.on('end', () => {
        this.#bodyIsUnread = false;
        this.#body = parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts);
        resolve();
      });
      incoming.on('aborted', broken);
      incoming.on('error', broken);
      incoming.on('close', broken);
    });
  }
}

/** Whether a request has a body, which most have not. */
function hasBody(incoming: Incoming): boolean {
  if ('stream' in incoming) return !incoming.stream.endAfterHeaders;
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}
