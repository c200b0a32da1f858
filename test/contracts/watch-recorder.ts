import type { Change, KeySpace, KeySpaceError } from '../../src/storage/index.ts';

/** A watch that records its changes and failures. */
export interface WatchRecorder {
  readonly changes: readonly Change[];
  readonly failures: readonly KeySpaceError[];
  /** Resolves when the changes up to `revision` have arrived. The last of them must have the watched prefix. */
  until(revision: number): Promise<void>;
  end(): void;
}

export async function recordWatch(space: KeySpace, prefix: string, after: number): Promise<WatchRecorder> {
  const changes: Change[] = [];
  const failures: KeySpaceError[] = [];
  let reached = after;
  let waiting: { readonly revision: number; readonly resolve: () => void }[] = [];
  const end = await space.watch({
    prefix,
    after,
    deliver: (batch, revision) => {
      changes.push(...batch);
      reached = Math.max(reached, revision);
      for (const wait of waiting) if (wait.revision <= reached) wait.resolve();
      waiting = waiting.filter((wait) => wait.revision > reached);
    },
    onError: (error) => failures.push(error),
  });
  return {
    changes,
    failures,
    until: (revision) => (revision <= reached ? Promise.resolve() : new Promise((resolve) => waiting.push({ revision, resolve }))),
    end,
  };
}
