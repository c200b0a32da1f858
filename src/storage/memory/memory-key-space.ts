import type { Clock } from '../../env/index.ts';
import { decide } from '../history.ts';
import { HistoryKeySpace, type TimedKeySpace } from '../history-key-space.ts';
import type { Commit, Write } from '../key-space.ts';

/** A key space that lives as long as its process: what is in memory counts as durable. */
export function createMemoryKeySpace(clock: Clock): TimedKeySpace {
  return new MemoryKeySpace(clock);
}

class MemoryKeySpace extends HistoryKeySpace {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  async commit(write: Write): Promise<Commit> {
    this.assertOpen();
    const change = decide(this.history.current(write.key), write, this.history.revision + 1);
    this.apply([{ change, requestId: write.requestId }], this.#clock.nowMs());
    return change;
  }

  async compact(revision: number): Promise<void> {
    this.assertOpen();
    this.history.compact(revision);
  }
}
