import { ByteQueue, type ByteSink, type ByteSource } from '../../env/index.ts';
import { bytesToBase64, decodeBase64, type WebSocketConnection, type WebSocketMessage } from '../../meta/index.ts';

/** In version 5 a message of this byte and a channel ends that channel. */
const closeSignal = 255;
/** The character of channel 0 in base64 messages. */
const digitZero = 48;

export interface ChannelFormat {
  readonly isBase64: boolean;
  /** Whether the client can end single channels (version 5). */
  readonly hasCloseSignal: boolean;
}

/**
 * Several byte streams over one WebSocket: each message begins with its channel. Cf. upstream wsstream.Conn. Channels that are not read
 * ignore their messages.
 */
export class ChannelSocket {
  readonly #socket: WebSocketConnection;
  readonly #format: ChannelFormat;
  readonly #queues = new Map<number, ByteQueue>();

  constructor(socket: WebSocketConnection, format: ChannelFormat) {
    this.#socket = socket;
    this.#format = format;
  }

  /** Aborted when the client has closed the connection. */
  get signal(): AbortSignal {
    return this.#socket.signal;
  }

  /** Call it before `receive`. */
  readable(channel: number): ByteSource {
    const queue = new ByteQueue();
    this.#queues.set(channel, queue);
    return queue;
  }

  writable(channel: number): ByteSink {
    return {
      write: (bytes) => {
        if (this.signal.aborted) return Promise.reject(new Error('the client has disconnected'));
        return this.#socket.send(this.#encode(channel, bytes));
      },
      // Channels to the client have no end of their own.
      close: () => Promise.resolve(),
    };
  }

  /** Distributes messages until the client closes the connection. */
  async receive(): Promise<void> {
    for await (const message of this.#socket.messages) if (!(await this.#dispatch(message))) break;
    for (const queue of this.#queues.values()) queue.end();
  }

  close(): Promise<void> {
    // Unread messages would prevent that the end is received.
    for (const queue of this.#queues.values()) queue.discard();
    return this.#socket.close();
  }

  /** False for a protocol error, which ends the connection. */
  async #dispatch(message: WebSocketMessage): Promise<boolean> {
    const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message;
    const [first] = bytes;
    if (first === undefined) return true;
    if (this.#format.hasCloseSignal && first === closeSignal) {
      if (bytes.length !== 2) return false;
      this.#queues.get(bytes[1] ?? 0)?.end();
      return true;
    }
    const queue = this.#queues.get(this.#format.isBase64 ? first - digitZero : first);
    const data = bytes.subarray(1);
    await queue?.push(this.#format.isBase64 ? (decodeBase64(new TextDecoder().decode(data)) ?? new Uint8Array()) : data);
    return true;
  }

  #encode(channel: number, bytes: Uint8Array): WebSocketMessage {
    if (this.#format.isBase64) return `${channel}${bytesToBase64(bytes)}`;
    const frame = new Uint8Array(bytes.length + 1);
    frame[0] = channel;
    frame.set(bytes, 1);
    return frame;
  }
}
