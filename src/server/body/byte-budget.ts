import { StatusError } from '../../meta/index.ts';

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

/** Bounds the memory of responses that are encoded whole before their first byte is sent. Waiters are admitted first in, first out. */
export class ByteBudget {
  readonly #maxBytes: number;
  #held = 0;
  readonly #queue = new Set<Waiting>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Reserves bytes; waits until they fit or nothing else is reserved. They are released by the returned function, or when `signal` is
   * aborted because the request is over. @throws StatusError when it is aborted while waiting
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
