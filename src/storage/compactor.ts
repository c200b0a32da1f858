import { type Clock, errorMessage, type Log } from '../env/index.ts';
import type { TimedKeySpace } from './history-key-space.ts';
import { KeySpaceError } from './key-space.ts';

/** Default retention of old revisions, as in the real server (part 4.4, 5 minutes). Cf. kube-apiserver --etcd-compaction-interval. */
export const defaultRetentionMs: number = 5 * 60 * 1000;

export interface CompactorOptions {
  readonly keySpace: TimedKeySpace;
  readonly clock: Clock;
  readonly log: Log;
  /** Revisions written within this time stay readable and watchable. Infinity disables compaction. */
  readonly retentionMs: number;
}

/** Compacts the key space by age. */
export interface Compactor {
  /** Compacts revisions older than the retention and resolves to the compacted revision. */
  compact(): Promise<number>;
  /** Compacts periodically until `stop`. */
  start(): void;
  stop(): void;
}

/** Compacts to the revision that was the newest one a retention ago, so that the window survives a restart. */
export function createCompactor(options: CompactorOptions): Compactor {
  const { keySpace, clock, log, retentionMs } = options;
  let cancel: (() => void) | undefined;
  const compact = async (): Promise<number> => {
    const revision = await keySpace.revisionAt(clock.nowMs() - retentionMs);
    await keySpace.compact(revision);
    return keySpace.compactedRevision();
  };
  const wait = (): void => {
    // A fifth of the retention: history stays close to the configured length, and an idle key space costs nothing.
    cancel = Number.isFinite(retentionMs) ? clock.schedule(retentionMs / 5, tick) : undefined;
  };
  const tick = (): void => {
    wait();
    compact().catch((error: unknown) => {
      if (error instanceof KeySpaceError && error.code === 'closed') stop();
      else log.warn('compaction failed', { why: errorMessage(error) });
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
