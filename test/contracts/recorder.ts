import type { Change, KeySpace, KeySpaceError } from '../../src/storage/index.ts';

/** A watch that keeps what it was told. */
export interface Recorder {
  readonly changes: readonly Change[];
  readonly failures: readonly KeySpaceError[];
  /** Resolves when changes up to `revision` are here. The last of them must be of the watched prefix. */
  until(revision: number): Promise<void>;
  end(): void;
}

export async function record(space: KeySpace, prefix: string, after: number): Promise<Recorder> {
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
    failed: (error) => failures.push(error),
  });
  return {
    changes,
    failures,
    until: (revision) => (revision <= reached ? Promise.resolve() : new Promise((resolve) => waiting.push({ revision, resolve }))),
    end,
  };
}
