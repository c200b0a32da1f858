import { StatusError } from '../meta/index.ts';

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

/** Bounds the bytes that answers hold which have to be encoded as a whole before their first byte can be sent. First come, first served. */
export class ByteBudget {
  readonly #maxBytes: number;
  #held = 0;
  readonly #queue = new Set<Waiting>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Resolves once that many bytes may be held, or nothing else is. They are held until the returned function is called, or `signal` is
   * aborted: the exchange is over. @throws StatusError when it is over before
   */
  acquire(bytes: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      let isHeld = false;
      const release = (): void => {
        signal.removeEventListener('abort', cancel);
        if (!isHeld) return;
        isHeld = false;
        this.#held -= bytes;
        this.#admitNext();
      };
      const cancel = (): void => {
        this.#queue.delete(waiting);
        release();
        reject(new StatusError(500, '', 'context canceled'));
      };
      const admit = (): void => {
        isHeld = true;
        this.#held += bytes;
        resolve(release);
      };
      const waiting: Waiting = { bytes, admit };
      if (signal.aborted) return cancel();
      signal.addEventListener('abort', cancel, { once: true });
      this.#queue.add(waiting);
      this.#admitNext();
    });
  }

  #admitNext(): void {
    for (const waiting of this.#queue) {
      if (this.#held > 0 && this.#held + waiting.bytes > this.#maxBytes) return;
      this.#queue.delete(waiting);
      waiting.admit();
    }
  }
}
