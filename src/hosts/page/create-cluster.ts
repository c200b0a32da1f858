import { createMemoryKeySpace, openIdbLogStore, openLogKeySpace } from '../../storage/index.ts';
import { createBrowserEnv } from '../browser/index.ts';
import { type Cluster, type ClusterSettings, createLibraryCluster } from '../library/index.ts';

export interface PageClusterSettings extends ClusterSettings {
  /** IndexedDB database of the cluster; in memory when absent. Only one page may have it open at a time. */
  readonly database?: string;
}

/** Creates a cluster in a page, without a Service Worker. The same function exists for Node. @throws TokenFileError, KeySpaceError */
export async function createCluster({ database, ...settings }: PageClusterSettings = {}): Promise<Cluster> {
  const env = createBrowserEnv();
  if (database === undefined) return createLibraryCluster(env, createMemoryKeySpace(env.clock), settings);
  const store = await openIdbLogStore({ platform: globalThis, name: database, durability: 'relaxed' });
  return createLibraryCluster(env, await openLogKeySpace({ store, clock: env.clock, log: env.log, onDamage: 'refuse' }), settings);
}
