import { createMemoryKeySpace, openIdbLogStore, openLogKeySpace } from '../../storage/index.ts';
import { createBrowserEnv } from '../browser/index.ts';
import { type Cluster, type ClusterSettings, createLibraryCluster } from '../library/index.ts';

/** Settings of a cluster in a page. */
export interface PageClusterSettings extends ClusterSettings {
  /**
   * Name of the IndexedDB database that stores the cluster; it is created when absent. Only one page may have it open at a time. Default:
   * the cluster is in memory, and lost when the page is closed.
   */
  readonly database?: string;
}

/**
 * Creates a cluster in a page, without a Service Worker; the promise resolves when it serves requests. The same function exists for Node,
 * without `database`.
 *
 * @throws TokenFileError for invalid `tokens`
 * @throws AuditPolicyError for an invalid `auditPolicy`
 * @throws KeySpaceError when the database cannot be opened, is open elsewhere, or is damaged
 */
export async function createCluster({ database, ...settings }: PageClusterSettings = {}): Promise<Cluster> {
  const env = createBrowserEnv();
  if (database === undefined) return createLibraryCluster(env, createMemoryKeySpace, settings);
  const store = await openIdbLogStore({ platform: globalThis, name: database, durability: 'relaxed' });
  return createLibraryCluster(env, (clock) => openLogKeySpace({ store, clock, log: env.log, onDamage: 'refuse' }), settings);
}
