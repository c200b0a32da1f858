import { authenticationDefaults, type ClusterOptions, clusterDefaults, createCluster, KeptAudit } from '../../cluster/index.ts';
import { productNamed } from '../../meta/index.ts';
import {
  copyKeySpace,
  createMemoryKeySpace,
  fillLogStore,
  type KeySpaceCopy,
  KeySpaceError,
  openIdbLogStore,
  openLogKeySpace,
  type TimedKeySpace,
} from '../../storage/index.ts';
import { createSigningKey } from '../signing-key.ts';
import { actingSoon } from './acting-soon.ts';
import { createBrowserEnv } from './browser-env.ts';
import { CertificateSessions } from './certificate-sessions.ts';
import { createCertificateVerifier } from './certificate-verifier.ts';
import type { ClusterStores } from './cluster-house.ts';
import { type DatabaseOwner, databaseOf, otherDatabases } from './database-names.ts';
import type { OpenedCluster } from './opened-cluster.ts';
import { spaceReserve } from './space-reserve.ts';
import { pageUsers } from './users.ts';

/** What the clusters of a page have in common. */
export interface ClusterKind extends DatabaseOwner {
  /** `none`: a bare API server, in which nothing acts by itself. */
  readonly controllers: 'run' | 'none';
}

/** What the registration of a worker asks for (`sw.js?controllers=none`); they run when it says nothing. */
export function controllersAsked(workerUrl: string): ClusterKind['controllers'] {
  return new URL(workerUrl).searchParams.get('controllers') === 'none' ? 'none' : 'run';
}

/**
 * The cluster of this origin, kept in IndexedDB; in memory where the browser refuses that.
 * @throws KeySpaceError `out-of-space`: opening takes a small write, and there is no room even for that
 */
export function openCluster(kind: ClusterKind): Promise<OpenedCluster> {
  return openKept(kind, databaseOf(kind));
}

async function openKept(kind: ClusterKind, database: string): Promise<OpenedCluster> {
  const env = createBrowserEnv();
  let storage: TimedKeySpace;
  const takenOver = createSignal();
  const deleted = createSignal();
  try {
    const store = await openIdbLogStore({
      platform: globalThis,
      name: database,
      durability: 'relaxed',
      takenOver: takenOver.send,
      deleted: deleted.send,
      reserve: spaceReserve,
    });
    // A damaged log is no reason to have no cluster at all: what stands before the damage is whole.
    storage = await openLogKeySpace({ store, clock: env.clock, log: env.log, damaged: 'keep-intact' });
  } catch (error) {
    // A full store still holds the user's objects: an empty cluster in its place would look as if they were gone.
    if (error instanceof KeySpaceError && error.code === 'out-of-space') throw error;
    const why = error instanceof Error ? error.message : String(error);
    env.log.warn('storage refused', { why });
    const isNewer = error instanceof KeySpaceError && error.code === 'newer-format';
    return open(kind, createMemoryKeySpace(env.clock), 'memory', isNewer ? why : `the browser refuses storage (${why})`);
  }
  return { ...(await open(kind, storage, 'saved', '')), takenOver: takenOver.sent, deleted: deleted.sent };
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

/** Stores a copy as the cluster of this origin, whose database is not open. */
export function storeCluster(kind: ClusterKind, copy: KeySpaceCopy): Promise<void> {
  return fillDatabase(databaseOf(kind), copy);
}

async function fillDatabase(name: string, copy: KeySpaceCopy | undefined): Promise<void> {
  const store = await openIdbLogStore({ platform: globalThis, name, durability: 'relaxed' });
  try {
    if (copy) await fillLogStore(store, copy);
  } finally {
    await store.close();
  }
}

/** The clusters beside the page's own, each in a database of its own; in memory where the browser refuses databases. */
export function otherClusters(kind: ClusterKind): ClusterStores {
  const inMemory = memoryClusters(kind);
  const prefix = otherDatabases(kind);
  const kept = async (): Promise<readonly string[] | undefined> => {
    try {
      const found = await indexedDB.databases();
      return found.flatMap(({ name = '' }) =>
        name.startsWith(prefix) && !name.includes('/', prefix.length) ? [name.slice(prefix.length)] : [],
      );
    } catch {
      // Refused, as in a sandbox.
      return undefined;
    }
  };
  return {
    ids: async () => [...((await kept()) ?? []), ...(await inMemory.ids())],
    async open(id) {
      return (await inMemory.ids()).includes(id) ? inMemory.open(id) : openKept(kind, prefix + id);
    },
    openFresh: inMemory.openFresh,
    async fill(id, copy) {
      if ((await kept()) === undefined) return inMemory.fill(id, copy);
      await deleteDatabase(prefix + id);
      await fillDatabase(prefix + id, copy);
    },
    async remove(id) {
      await inMemory.remove(id);
      if ((await kept())?.includes(id) === true) await deleteDatabase(prefix + id);
    },
  };
}

/** Others that are gone with their page. */
export function memoryClusters(kind: ClusterKind): ClusterStores {
  const copies = new Map<string, KeySpaceCopy | undefined>();
  return {
    ids: async () => [...copies.keys()],
    async open(id) {
      const storage = createMemoryKeySpace(createBrowserEnv().clock, copies.get(id));
      const cluster = await open(kind, storage, 'memory', '');
      // What is in it is there again when it was closed for another one.
      return {
        ...cluster,
        close: async () => {
          if (copies.has(id)) copies.set(id, await cluster.copy());
          await cluster.close();
        },
      };
    },
    openFresh: () => openMemoryCluster(kind),
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

/** A cluster that is gone with its page. */
export async function openMemoryCluster(kind: ClusterKind): Promise<OpenedCluster> {
  return open(kind, createMemoryKeySpace(createBrowserEnv().clock), 'memory', '');
}

const controllersOf: Readonly<Record<ClusterKind['controllers'], ClusterOptions['controllers']>> = { run: actingSoon, none: 'none' };

async function open(kind: ClusterKind, storage: TimedKeySpace, kept: OpenedCluster['kept'], reason: string): Promise<OpenedCluster> {
  const env = createBrowserEnv();
  const product = productNamed(kind.names);
  const audit = await KeptAudit.open({ storage, product, env });
  const cluster = await createCluster({
    ...clusterDefaults,
    env,
    storage,
    product,
    auditing: audit.auditing,
    controllers: controllersOf[kind.controllers],
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
    handle: audit.handling(sessions.handle),
    kept,
    reason,
    onTrace: (listener) => cluster.onTrace(listener),
    copy: () => copyKeySpace(storage),
    takenOver: new Promise(() => {}),
    deleted: new Promise(() => {}),
    close: () => cluster.close(),
  };
}
