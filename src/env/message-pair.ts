/** A connection that carries whole messages, in the view of one of its ends. */
export interface MessageConnection<Message> {
  /** From the other end, until one of the ends closes the connection. For one reader. */
  readonly messages: AsyncIterable<Message>;
  /** Aborted when the other end has closed the connection, even while messages are unread. */
  readonly signal: AbortSignal;
  /** Resolves when the other end can take more, or has closed the connection; what is sent after that is lost. */
  send(message: Message): Promise<void>;
  /** The other end reads what was sent before. The code of a WebSocket is one of RFC 6455, by default 1000. */
  close(code?: number): Promise<void>;
}

/** `send` waits while more than this is unread: bytes, and characters of texts. Other messages are not limited. */
const maxUnread = 256 * 1024;

/** Both ends of a connection in memory. */
export function createMessagePair<Message>(): readonly [MessageConnection<Message>, MessageConnection<Message>] {
  const [there, back] = [new MessageQueue<Message>(), new MessageQueue<Message>()];
  const [first, second] = [new AbortController(), new AbortController()];
  return [
    { messages: back, signal: first.signal, send: (message) => there.push(message), close: closing(there, back, second) },
    { messages: there, signal: second.signal, send: (message) => back.push(message), close: closing(back, there, first) },
  ];
}

/** The number of units of a message that flow control counts. */
export const messageSize = (message: unknown): number =>
  typeof message === 'string' || message instanceof Uint8Array ? message.length : 0;

function closing<Message>(sent: MessageQueue<Message>, received: MessageQueue<Message>, other: AbortController): () => Promise<void> {
  return async () => {
    sent.end();
    received.discard();
    other.abort(new Error('the other end has closed the connection'));
  };
}

class MessageQueue<Message> implements AsyncIterable<Message> {
  readonly #messages: Message[] = [];
  #unread = 0;
  #isEnded = false;
  #wakeReader = (): void => {};
  #wakeWriters: (() => void)[] = [];

  async push(message: Message): Promise<void> {
    if (this.#isEnded) return;
    this.#messages.push(message);
    this.#unread += messageSize(message);
    this.#wakeReader();
    while (this.#unread > maxUnread && !this.#isEnded) await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
  }

  end(): void {
    this.#isEnded = true;
    this.#wakeReader();
    this.#resumeWriters();
  }

  discard(): void {
    this.#messages.length = 0;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message> {
    for (;;) {
      const [message] = this.#messages.splice(0, 1);
      if (message !== undefined) {
        this.#unread -= messageSize(message);
        if (this.#unread <= maxUnread) this.#resumeWriters();
        yield message;
      } else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
    }
  }

  #resumeWriters(): void {
    for (const resume of this.#wakeWriters.splice(0)) resume();
  }
}
