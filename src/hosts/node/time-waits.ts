import type { Clock } from '../../env/index.ts';
import { type ApiHandler, isStream } from '../../meta/index.ts';

/** Counts what users of a cluster, such as shells, wait for until the time of the cluster advances: sleeps, timers and streams. */
export class TimeWaits {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The same clock for a user. */
  clock<Counted extends Clock>(clock: Counted): Counted {
    return {
      ...clock,
      sleep: (ms, signal) => {
        const end = this.#begin();
        return clock.sleep(ms, signal).finally(end);
      },
      schedule: (ms, run) => {
        const end = this.#begin();
        const cancel = clock.schedule(ms, () => {
          end();
          run();
        });
        return () => {
          end();
          cancel();
        };
      },
    };
  }

  /** The same API for a user. */
  api(handle: ApiHandler): ApiHandler {
    return async (request) => {
      const response = await handle(request);
      return { ...response, body: isStream(response.body) ? this.#countStream(response.body) : response.body };
    };
  }

  async *#countStream<Chunk>(body: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const end = this.#begin();
    try {
      yield* body;
    } finally {
      end();
    }
  }

  #begin(): () => void {
    let isOver = false;
    this.#count++;
    return () => {
      if (!isOver) this.#count--;
      isOver = true;
    };
  }
}
