import { authenticationDefaults, clusterDefaults, createCluster } from '../../cluster/index.ts';
import { type ProductName, productNamed } from '../../meta/index.ts';
import { createMemoryKeySpace, KeySpaceError, openIdbLogStore, openLogKeySpace, type TimedKeySpace } from '../../storage/index.ts';
import { createSigningKey } from '../signing-key.ts';
import { createBrowserEnv } from './browser-env.ts';
import type { OpenedCluster } from './opened-cluster.ts';
import { pageUsers } from './users.ts';

/** Each product has its own: what is stored has the product's names in it. */
const databaseOf = (names: ProductName): string => `tabplane-cluster-${names}`;

/**
 * The cluster of this origin, kept in IndexedDB; in memory where the browser refuses that.
 * @throws KeySpaceError `out-of-space`: opening takes a small write, and there is no room even for that
 */
export async function openCluster(names: ProductName): Promise<OpenedCluster> {
  const env = createBrowserEnv();
  let storage: TimedKeySpace;
  try {
    const store = await openIdbLogStore({ platform: globalThis, name: databaseOf(names), durability: 'relaxed' });
    // A damaged log is no reason to have no cluster at all: what stands before the damage is whole.
    storage = await openLogKeySpace({ store, clock: env.clock, log: env.log, damaged: 'keep-intact' });
  } catch (error) {
    // A full store still holds the user's objects: an empty cluster in its place would look as if they were gone.
    if (error instanceof KeySpaceError && error.code === 'out-of-space') throw error;
    const why = error instanceof Error ? error.message : String(error);
    env.log.warn('storage refused', { why });
    return open(names, createMemoryKeySpace(env.clock), 'memory', `the browser refuses storage (${why})`);
  }
  return open(names, storage, 'saved', '');
}

/** A cluster that is gone with its page. */
export async function openMemoryCluster(names: ProductName): Promise<OpenedCluster> {
  return open(names, createMemoryKeySpace(createBrowserEnv().clock), 'memory', '');
}

async function open(names: ProductName, storage: TimedKeySpace, kept: OpenedCluster['kept'], reason: string): Promise<OpenedCluster> {
  const env = createBrowserEnv();
  const cluster = await createCluster({
    ...clusterDefaults,
    env,
    storage,
    product: productNamed(names),
    authentication: { ...authenticationDefaults, tokens: pageUsers },
    createSigningKey,
    timingHeaders: true,
  });
  return { handle: cluster.handle, kept, reason, onTrace: (listener) => cluster.onTrace(listener), close: () => cluster.close() };
}
