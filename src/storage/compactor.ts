import type { Clock, Log } from '../env/index.ts';
import type { HistoryLimit } from './history.ts';
import type { TimedKeySpace } from './history-key-space.ts';
import { KeySpaceError } from './key-space.ts';

/** How much of the past is kept. */
export interface Retention {
  /** What was written within this time can still be watched and read. */
  readonly ageMs: number;
  /** What is older stays too while no more than this is kept: for journeys in time. */
  readonly older: HistoryLimit;
  /** More than this is never kept, however young it is: writers in a hurry must not fill the memory. */
  readonly most: HistoryLimit;
}

/** When nothing else is said: five minutes, as the real server does (part 4.4), in some 200 MB at most. */
export const defaultRetention: Retention = {
  ageMs: 5 * 60 * 1000,
  older: { changes: 0, characters: 0 },
  most: { changes: 500_000, characters: 128 * 1024 * 1024 },
};

/** A window that is long, or full in no time, is looked at this often at least. */
const longestPauseMs = 10_000;

export interface CompactorOptions {
  readonly keySpace: TimedKeySpace;
  readonly clock: Clock;
  readonly log: Log;
  readonly retention: Retention;
}

/** Keeps history by age and size. */
export interface Compactor {
  /** Forgets what is older than the retention; answers the oldest revision left. */
  compact(): Promise<number>;
  /** Compacts now and then until `stop`. */
  start(): void;
  stop(): void;
}

/** Works on whatever revision was the newest one a retention ago, so that the window survives a restart. */
export function createCompactor(options: CompactorOptions): Compactor {
  const { keySpace, clock, log, retention } = options;
  const pauseMs = Math.min(retention.ageMs / 5, longestPauseMs);
  let cancel: (() => void) | undefined;
  const compact = async (): Promise<number> => {
    const byAge = await keySpace.revisionAt(clock.nowMs() - retention.ageMs);
    const bySize = await keySpace.revisionWithin(retention.older);
    const byMost = await keySpace.revisionWithin(retention.most);
    await keySpace.compact(Math.min(Math.max(byAge, byMost), bySize));
    return keySpace.compactedRevision();
  };
  const tick = (): void => {
    // A fifth of the window at most: history is never much longer than asked for, and an idle space costs nothing.
    cancel = clock.schedule(pauseMs, tick);
    compact().catch((error: unknown) => {
      if (error instanceof KeySpaceError && error.code === 'closed') stop();
      else log.warn('compaction failed', { why: error instanceof Error ? error.message : String(error) });
    });
  };
  const stop = (): void => {
    cancel?.();
    cancel = undefined;
  };
  return {
    compact,
    start: () => {
      stop();
      cancel = clock.schedule(pauseMs, tick);
    },
    stop,
  };
}
