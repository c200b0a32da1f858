import type { Clock } from '../../env/index.ts';
import type { KeySpaceCopy } from '../copy.ts';
import { decideWrite, History } from '../history.ts';
import { HistoryKeySpace, type TimedKeySpace } from '../history-key-space.ts';
import type { Commit, Write } from '../key-space.ts';

/** A key space in memory only, for the lifetime of its process. It starts with the entries of `copy`, or empty. */
export function createMemoryKeySpace(clock: Clock, copy?: KeySpaceCopy): TimedKeySpace {
  const history = new History();
  // Entries of its own: readers attach values to them, which would live as long as the copy.
  if (copy)
    history.restore(
      copy.revision,
      copy.entries.map((entry) => ({ ...entry })),
    );
  return new MemoryKeySpace(clock, history);
}

class MemoryKeySpace extends HistoryKeySpace {
  readonly #clock: Clock;

  constructor(clock: Clock, history: History) {
    super(history);
    this.#clock = clock;
  }

  async commit(write: Write): Promise<Commit> {
    this.assertOpen();
    const { history } = this;
    const done = history.findDuplicateCommit(write);
    if (done) return done;
    const change = decideWrite(history.current(write.key), write, history.revision + 1);
    this.apply([{ change, requestId: write.requestId }], this.#clock.nowMs());
    return change;
  }

  async compact(revision: number): Promise<void> {
    this.assertOpen();
    this.history.compact(revision);
  }
}
