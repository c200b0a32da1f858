import type { MessageConnection } from '../../env/index.ts';
import type { ApiHandler, ApiRequest, ApiResponse, ProtocolSwitch } from '../../meta/index.ts';
import type { Port, RequestMessage, ResponseMessage } from './port-messages.ts';
import { TransportError } from './transport-error.ts';

export interface PortHandler {
  readonly handle: ApiHandler;
  /** Number of pending requests and open streams. */
  openRequests(): number;
  /** Marks the port as closed: fails all pending and later requests and streams with a network error. */
  markClosed(): void;
}

/** The page's end of a message port. Costs a tenth of a fetch. */
export function createPortHandler(port: Port): PortHandler {
  const calls = new Map<number, PendingRequest>();
  let lastId = 0;
  let closed = false;
  port.addEventListener('message', ({ data }) => {
    const message = data as ResponseMessage;
    const call = calls.get(message.id);
    if (call?.handleMessage(message) === 'over') calls.delete(message.id);
  });
  const handle: ApiHandler = (request) => {
    if (closed) return Promise.reject(portClosedError());
    if (request.signal.aborted) return Promise.reject(request.signal.reason);
    const id = ++lastId;
    const post = (message: RequestMessage): void => port.postMessage(message);
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        calls.delete(id);
        post({ kind: 'cancel', id });
      };
      calls.set(
        id,
        new PendingRequest(
          request,
          { resolve, reject },
          {
            cancel,
            acknowledge: (bytes) => post({ kind: 'taken', id, bytes }),
            send: (message) => post({ kind: 'message', id, message }),
          },
        ),
      );
      const { method, target, headers, body, acceptsUpgrade = false } = request;
      post({ kind: 'request', id, method, target, headers: [...headers], body, acceptsUpgrade });
    });
  };
  const markClosed = (): void => {
    closed = true;
    for (const call of calls.values()) call.fail(portClosedError());
    calls.clear();
  };
  return { handle, openRequests: () => calls.size, markClosed: markClosed };
}

function portClosedError(): TransportError {
  return new TransportError('network', 'the port to the cluster was closed');
}

interface Deferred {
  readonly resolve: (response: ApiResponse) => void;
  readonly reject: (reason: unknown) => void;
}

interface CallPort {
  readonly cancel: () => void;
  readonly acknowledge: (bytes: number) => void;
  readonly send: (message: unknown) => void;
}

/** A pending request: its response, then the stream or the switched connection if it has one. */
class PendingRequest {
  readonly #settle: Deferred;
  readonly #port: CallPort;
  readonly #signal: AbortSignal;
  #chunks: unknown[] = [];
  #ended = false;
  #failure: unknown;
  #wake: () => void = () => undefined;

  constructor({ signal }: ApiRequest, settle: Deferred, callPort: CallPort) {
    this.#settle = settle;
    this.#port = callPort;
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  handleMessage(message: ResponseMessage): 'over' | 'open' {
    switch (message.kind) {
      case 'answer': {
        const { status, headers, body, streams } = message;
        this.#settle.resolve({ status, headers, body: streams ? this.#stream<string | Uint8Array>() : body });
        if (streams) return 'open';
        return this.#finish();
      }
      case 'switched':
        this.#settle.resolve({ status: 101, headers: message.headers, body: undefined, upgrade: this.#upgrade(message) });
        return 'open';
      case 'chunk':
        this.#chunks.push(message.chunk);
        this.#wake();
        return 'open';
      case 'end':
        this.#ended = true;
        this.#wake();
        return this.#finish();
      case 'failed':
        this.fail(new TransportError('network', message.message));
        return 'over';
      default:
        return message satisfies never;
    }
  }

  fail(error: unknown): void {
    this.#finish();
    this.#failure = error;
    this.#settle.reject(error);
    this.#wake();
  }

  readonly #abort = (): void => {
    this.#port.cancel();
    this.fail(this.#signal.reason);
  };

  #finish(): 'over' {
    this.#signal.removeEventListener('abort', this.#abort);
    return 'over';
  }

  #upgrade({ to, protocol }: Extract<ResponseMessage, { kind: 'switched' }>): ProtocolSwitch {
    const close = (): void => {
      this.#port.cancel();
      this.#ended = true;
      this.#wake();
      this.#finish();
    };
    const server = { received: this.#stream<unknown>(), send: this.#port.send, close };
    const relay = async <Message>(client: MessageConnection<Message>): Promise<void> =>
      (await import('./relay-messages.ts')).relayMessages(client, server);
    return to === 'port' ? { kind: to, serve: relay, cancel: close } : { kind: to, protocol, serve: relay, cancel: close };
  }

  /** @typeParam Message what the server sends: its chunks and messages are not checked */
  async *#stream<Message>(): AsyncGenerator<Message> {
    try {
      for (;;) {
        const chunks = this.#chunks.splice(0);
        for (const chunk of chunks) {
          this.#port.acknowledge(sizeOf(chunk));
          yield chunk as Message;
        }
        if (this.#chunks.length > 0) continue;
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#ended) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      if (!this.#ended && this.#failure === undefined) this.#port.cancel();
      this.#finish();
    }
  }
}

/** Only texts and bytes count for flow control. */
const sizeOf = (chunk: unknown): number => (chunk as Partial<Uint8Array>).length ?? 0;
