import { authenticationDefaults, type ClusterOptions, clusterDefaults, createCluster, RuntimeAudit } from '../../cluster/index.ts';
import { productByName } from '../../meta/index.ts';
import {
  copyKeySpace,
  createMemoryKeySpace,
  type KeySpaceCopy,
  KeySpaceError,
  openIdbLogStore,
  openLogKeySpace,
  restoreLogStore,
  type TimedKeySpace,
} from '../../storage/index.ts';
import { createSigningKey } from '../signing-key.ts';
import { createBrowserEnv } from './browser-env.ts';
import { CertificateSessions } from './certificate-sessions.ts';
import { createCertificateVerifier } from './certificate-verifier.ts';
import type { ClusterStores } from './cluster-registry.ts';
import { additionalDatabasePrefix, clusterDatabaseName, type DatabaseScope } from './database-names.ts';
import type { RunningCluster } from './running-cluster.ts';
import { spaceReserve } from './space-reserve.ts';
import { startControllersDelayed } from './start-controllers-delayed.ts';
import { pageUsers } from './users.ts';

/** Common settings of a page's clusters. */
export interface BrowserClusterOptions extends DatabaseScope {
  /** `none`: an API server without controllers. */
  readonly controllers: 'run' | 'none';
}

/** The `controllers` parameter of the worker's URL (`sw.js?controllers=none`); default: `run`. */
export function requestedControllers(workerUrl: string): BrowserClusterOptions['controllers'] {
  return new URL(workerUrl).searchParams.get('controllers') === 'none' ? 'none' : 'run';
}

/**
 * Opens the cluster of this origin in IndexedDB, or in memory when the browser refuses storage.
 * @throws KeySpaceError `out-of-space`: opening needs a small write
 */
export function openCluster(options: BrowserClusterOptions): Promise<RunningCluster> {
  return openStoredCluster(options, clusterDatabaseName(options));
}

async function openStoredCluster(options: BrowserClusterOptions, database: string): Promise<RunningCluster> {
  const env = createBrowserEnv();
  let storage: TimedKeySpace;
  const takenOver = createSignal();
  const deleted = createSignal();
  try {
    const store = await openIdbLogStore({
      platform: globalThis,
      name: database,
      durability: 'relaxed',
      onTakenOver: takenOver.send,
      onDeleted: deleted.send,
      reserve: spaceReserve,
    });
    // With a damaged log, the cluster opens with the intact state before the damage.
    storage = await openLogKeySpace({ store, clock: env.clock, log: env.log, onDamage: 'retain-intact' });
  } catch (error) {
    // A full store still has the user's objects; an empty cluster would look like data loss.
    if (error instanceof KeySpaceError && error.code === 'out-of-space') throw error;
    const why = error instanceof Error ? error.message : String(error);
    env.log.warn('storage refused', { why });
    const isNewer = error instanceof KeySpaceError && error.code === 'newer-format';
    return startCluster(options, createMemoryKeySpace(env.clock), 'memory', isNewer ? why : `the browser refuses storage (${why})`);
  }
  return { ...(await startCluster(options, storage, 'saved', '')), takenOver: takenOver.sent, deleted: deleted.sent };
}

interface Signal {
  readonly sent: Promise<void>;
  readonly send: () => void;
}

function createSignal(): Signal {
  let send = (): void => {};
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  return { sent, send };
}

/** Stores a copy as the cluster of this origin. Its database must not be open. */
export function storeCluster(options: BrowserClusterOptions, copy: KeySpaceCopy): Promise<void> {
  return fillDatabase(clusterDatabaseName(options), copy);
}

async function fillDatabase(name: string, copy: KeySpaceCopy | undefined): Promise<void> {
  const store = await openIdbLogStore({ platform: globalThis, name, durability: 'relaxed' });
  try {
    if (copy) await restoreLogStore(store, copy);
  } finally {
    await store.close();
  }
}

/** The additional clusters of a page, each in its own database, or in memory when the browser refuses storage. */
export function createClusterStores(options: BrowserClusterOptions): ClusterStores {
  const inMemory = createMemoryClusterStores(options);
  const prefix = additionalDatabasePrefix(options);
  const storedIds = async (): Promise<readonly string[] | undefined> => {
    try {
      const found = await indexedDB.databases();
      return found.flatMap(({ name = '' }) =>
        name.startsWith(prefix) && !name.includes('/', prefix.length) ? [name.slice(prefix.length)] : [],
      );
    } catch {
      // Refused, for instance in a sandbox.
      return undefined;
    }
  };
  return {
    ids: async () => [...((await storedIds()) ?? []), ...(await inMemory.ids())],
    async open(id) {
      return (await inMemory.ids()).includes(id) ? inMemory.open(id) : openStoredCluster(options, prefix + id);
    },
    openFresh: inMemory.openFresh,
    async fill(id, copy) {
      if ((await storedIds()) === undefined) return inMemory.fill(id, copy);
      await deleteDatabase(prefix + id);
      await fillDatabase(prefix + id, copy);
    },
    async remove(id) {
      await inMemory.remove(id);
      if ((await storedIds())?.includes(id) === true) await deleteDatabase(prefix + id);
    },
  };
}

/** Additional clusters in memory, for the lifetime of the page. */
export function createMemoryClusterStores(options: BrowserClusterOptions): ClusterStores {
  const copies = new Map<string, KeySpaceCopy | undefined>();
  return {
    ids: async () => [...copies.keys()],
    async open(id) {
      const storage = createMemoryKeySpace(createBrowserEnv().clock, copies.get(id));
      const cluster = await startCluster(options, storage, 'memory', '');
      // Its content is retained when it is closed for another cluster.
      return {
        ...cluster,
        close: async () => {
          if (copies.has(id)) copies.set(id, await cluster.copy());
          await cluster.close();
        },
      };
    },
    openFresh: () => openMemoryCluster(options),
    fill: async (id, copy) => void copies.set(id, copy),
    remove: async (id) => void copies.delete(id),
  };
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** Opens a cluster in memory, for the lifetime of the page. */
export async function openMemoryCluster(options: BrowserClusterOptions): Promise<RunningCluster> {
  return startCluster(options, createMemoryKeySpace(createBrowserEnv().clock), 'memory', '');
}

const controllersOf: Readonly<Record<BrowserClusterOptions['controllers'], ClusterOptions['controllers']>> = {
  run: startControllersDelayed,
  none: 'none',
};

async function startCluster(
  options: BrowserClusterOptions,
  storage: TimedKeySpace,
  persistence: RunningCluster['persistence'],
  reason: string,
): Promise<RunningCluster> {
  const env = createBrowserEnv();
  const product = productByName(options.names);
  const audit = await RuntimeAudit.open({ storage, product, env });
  const cluster = await createCluster({
    ...clusterDefaults,
    env,
    storage,
    product,
    auditing: audit.auditing,
    controllers: controllersOf[options.controllers],
    authentication: {
      ...authenticationDefaults,
      tokens: pageUsers,
      publishedAuthorities: (pem) => createCertificateVerifier(pem, env.clock),
    },
    createSigningKey,
    timingHeaders: 'everybody',
  });
  const sessions = new CertificateSessions(cluster.handle, env.clock, globalThis.origin);
  return {
    handle: audit.wrapHandler(sessions.handle),
    persistence,
    reason,
    onTrace: (listener) => cluster.onTrace(listener),
    copy: () => copyKeySpace(storage),
    takenOver: new Promise(() => {}),
    deleted: new Promise(() => {}),
    close: () => cluster.close(),
  };
}
