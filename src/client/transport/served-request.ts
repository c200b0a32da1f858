/** Limit of bytes sent but not acknowledged. Beyond it the stream ends, and its reader resumes with a new request. */
const unreadMaxBytes = 4 * 1024 * 1024;

/** After this number of bytes that were sent but not acknowledged, a switched connection waits. */
const unacknowledgedBytes = 256 * 1024;

/** A request that is served over a port. */
export class ServedRequest {
  readonly abort: AbortController = new AbortController();
  /** Receives a message of the client, when the connection has switched protocols. */
  receive: (message: unknown) => void = () => {};
  #unread = 0;
  #resume = (): void => {};

  acknowledge(bytes: number): void {
    this.#unread -= bytes;
    this.#resume();
  }

  /** Resolves when the client has read enough, or has disconnected. */
  async whenRead(): Promise<void> {
    while (this.#unread > unacknowledgedBytes && !this.abort.signal.aborted)
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
        this.abort.signal.addEventListener('abort', () => resolve(), { once: true });
      });
  }

  /** False when the unread bytes exceed the limit. */
  countSent(bytes: number): boolean {
    this.#unread += bytes;
    return this.#unread <= unreadMaxBytes;
  }
}
