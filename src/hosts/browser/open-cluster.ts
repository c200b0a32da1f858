import type { RequestTrace } from '../../client/index.ts';
import { createCluster } from '../../cluster/index.ts';
import { productNamed } from '../../meta/index.ts';
import { createMemoryKeySpace, type KeySpace, openIdbLogStore, openLogKeySpace } from '../../storage/index.ts';
import { createBrowserEnv } from './browser-env.ts';
import type { OpenedCluster } from './opened-cluster.ts';
import { traced } from './traced.ts';

const databaseName = 'tabplane-cluster';

/** The cluster of this origin, kept in IndexedDB; in memory where the browser refuses that. */
export async function openCluster(): Promise<OpenedCluster> {
  const env = createBrowserEnv();
  try {
    // A worker frozen in the middle of a write leaves a torn record at most; what stands before it is whole.
    const store = await openIdbLogStore({ platform: globalThis, name: databaseName, durability: 'relaxed' });
    const storage = await openLogKeySpace({ store, clock: env.clock, log: env.log, damaged: 'keep-intact' });
    return open(storage, 'saved', '');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    env.log.warn('storage refused', { why });
    return open(createMemoryKeySpace(env.clock), 'memory', `the browser refuses storage (${why})`);
  }
}

/** A cluster that is gone with its page. */
export async function openMemoryCluster(): Promise<OpenedCluster> {
  return open(createMemoryKeySpace(createBrowserEnv().clock), 'memory', '');
}

async function open(storage: KeySpace, kept: OpenedCluster['kept'], reason: string): Promise<OpenedCluster> {
  const listeners = new Set<(trace: RequestTrace) => void>();
  const cluster = await createCluster({ env: createBrowserEnv(), storage, product: productNamed('kubernetes'), options: {} });
  const tell = (trace: RequestTrace): void => {
    for (const listener of listeners) listener(trace);
  };
  return {
    handle: traced(cluster.handle, tell),
    kept,
    reason,
    onTrace(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      await cluster.close();
      await storage.close();
    },
  };
}
