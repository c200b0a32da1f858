import type { Clock, Log } from '../env/index.ts';
import type { TimedKeySpace } from './history-key-space.ts';
import { KeySpaceError } from './key-space.ts';

/** How long events and old revisions are kept when nothing else is said, as the real server does (part 4.4, 5 minutes). */
export const defaultRetentionMs: number = 5 * 60 * 1000;

export interface CompactorOptions {
  readonly keySpace: TimedKeySpace;
  readonly clock: Clock;
  readonly log: Log;
  /** What was written within this time can still be watched and read; infinite: everything, then nothing is ever forgotten here. */
  readonly retentionMs: number;
}

/** Keeps history by age. */
export interface Compactor {
  /** Forgets what is older than the retention; answers the oldest revision left. */
  compact(): Promise<number>;
  /** Compacts now and then until `stop`. */
  start(): void;
  stop(): void;
}

/** Works on whatever revision was the newest one a retention ago, so that the window survives a restart. */
export function createCompactor(options: CompactorOptions): Compactor {
  const { keySpace, clock, log, retentionMs } = options;
  let cancel: (() => void) | undefined;
  const compact = async (): Promise<number> => {
    const revision = await keySpace.revisionAt(clock.nowMs() - retentionMs);
    await keySpace.compact(revision);
    return keySpace.compactedRevision();
  };
  const wait = (): void => {
    // A fifth of the window: history is never much longer than asked for, and an idle space costs nothing.
    cancel = Number.isFinite(retentionMs) ? clock.schedule(retentionMs / 5, tick) : undefined;
  };
  const tick = (): void => {
    wait();
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
      wait();
    },
    stop,
  };
}
