import { createMemoryKeySpace, openIdbLogStore, openLogKeySpace } from '../../storage/index.ts';
import { createBrowserEnv } from '../browser/index.ts';
import { type Cluster, type ClusterSettings, createLibraryCluster } from '../library/index.ts';

export interface PageClusterSettings extends ClusterSettings {
  /** The database that keeps the cluster; in memory when absent. One page at a time may have it open. */
  readonly database?: string;
}

/** Tabplane in a page: a cluster as an object, without a Service Worker. The same call as in Node. @throws TokenFileError, KeySpaceError */
export async function createCluster({ database, ...settings }: PageClusterSettings = {}): Promise<Cluster> {
  const env = createBrowserEnv();
  if (database === undefined) return createLibraryCluster(env, createMemoryKeySpace(env.clock), settings);
  const store = await openIdbLogStore({ platform: globalThis, name: database, durability: 'relaxed' });
  return createLibraryCluster(env, await openLogKeySpace({ store, clock: env.clock, log: env.log, damaged: 'refuse' }), settings);
}
