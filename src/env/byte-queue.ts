import type { ByteSource } from './byte-stream.ts';

/** A writer waits while more than this is unread. */
const maxUnreadBytes = 256 * 1024;

/** Bytes between one writer and one reader, with a limit of what is unread. */
export class ByteQueue implements ByteSource {
  readonly #chunks: Uint8Array[] = [];
  #unread = 0;
  #isEnded = false;
  #error: Error | undefined;
  #isRead = true;
  #wakeReader = (): void => {};
  #wakeWriter = (): void => {};

  /** Resolves when the reader has read enough. Ignored once the queue has ended or its reader has left. */
  async push(bytes: Uint8Array): Promise<void> {
    if (this.#isEnded || !this.#isRead || bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#unread += bytes.length;
    this.#wakeReader();
    while (this.#unread > maxUnreadBytes && this.#isRead)
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
  }

  /** The reader gets what was written, then the end. */
  end(): void {
    this.#isEnded = true;
    this.#wakeReader();
  }

  /** Nothing more is read: a waiting writer continues, and what it writes is lost. */
  discard(): void {
    this.#isRead = false;
    this.#isEnded = true;
    this.#chunks.length = 0;
    this.#unread = 0;
    this.#wakeReader();
    this.#wakeWriter();
  }

  /** The reader gets the error at once. */
  fail(error: Error): void {
    if (this.#error) return;
    this.#error = error;
    this.#isEnded = true;
    this.#chunks.length = 0;
    this.#unread = 0;
    this.#wakeReader();
    this.#wakeWriter();
  }

  /** Whether nothing more can be written. */
  get isClosed(): boolean {
    return this.#isEnded || !this.#isRead;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        while (this.#chunks.length === 0 && !this.#isEnded)
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
        if (this.#error) throw this.#error;
        const value = this.#chunks.shift();
        this.#unread -= value?.length ?? 0;
        this.#wakeWriter();
        return value ? { done: false, value } : { done: true, value: undefined };
      },
      return: async () => {
        this.discard();
        return { done: true, value: undefined };
      },
    };
  }
}
