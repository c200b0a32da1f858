import {
  authenticationDefaults,
  type ClusterOptions,
  clusterDefaults,
  createCluster,
  RuntimeAudit,
  RuntimeTime,
  startControllers,
} from '../../cluster/index.ts';
import { errorMessage, type Outbound } from '../../env/index.ts';
import { type Product, type ProductName, productByName } from '../../meta/index.ts';
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
import {
  type CertificateSigner,
  canSign,
  createCertificateAuthority,
  createServingCertificate,
  openStoredSigner,
  serviceNames,
} from '../certificate-authority.ts';
import { type RemoteAuthority, wrapAuthorityHandler } from '../remote-authority.ts';
import { RemoteNodes } from '../remote-nodes/remote-nodes.ts';
import { createSigningKey } from '../signing-key.ts';
import { createHandlerOutbound } from '../webhook-handlers.ts';
import { createBrowserEnv } from './browser-env.ts';
import { CertificateSessions } from './certificate-sessions.ts';
import { createCertificateVerifier } from './certificate-verifier.ts';
import type { ClusterStores } from './cluster-registry.ts';
import { additionalDatabasePrefix, clusterDatabaseName, type DatabaseScope, parseAdditionalDatabase } from './database-names.ts';
import { createPageTransport } from './page-api-servers.ts';
import { createPageWebhookCaller } from './page-webhooks.ts';
import type { RunningCluster } from './running-cluster.ts';
import { spaceReserve } from './space-reserve.ts';
import { startControllersDelayed } from './start-controllers-delayed.ts';
import { pageUsers } from './users.ts';

/** Common settings of a page's clusters. */
export interface BrowserClusterOptions extends DatabaseScope {
  /** `none`: an API server without controllers. `run-at-once`: for hosts that wait for their first writes. */
  readonly controllers: 'run' | 'run-at-once' | 'none';
  /** Loads the descriptions where modules cannot be imported. Default: imports them. */
  readonly loadDescriptions?: ClusterOptions['loadDescriptions'];
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
  const time = new RuntimeTime(env.clock);
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
    storage = await openLogKeySpace({ store, clock: time.clock, log: env.log, onDamage: 'retain-intact' });
  } catch (error) {
    // A full store still has the user's objects; an empty cluster would look like data loss.
    if (error instanceof KeySpaceError && error.code === 'out-of-space') throw error;
    const why = errorMessage(error);
    env.log.warn('storage refused', { why });
    const isNewer = error instanceof KeySpaceError && error.code === 'newer-format';
    return openMemoryCluster(options, { reason: isNewer ? why : `the browser refuses storage (${why})` });
  }
  return {
    ...(await startCluster(options, { time, storage, persistence: 'saved', reason: '' })),
    takenOver: takenOver.sent,
    deleted: deleted.sent,
  };
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
  const databaseOf = (id: string, names: ProductName): string => additionalDatabasePrefix({ ...options, names }) + id;
  const stored = async (): Promise<readonly (readonly [id: string, names: ProductName])[] | undefined> => {
    try {
      const databases = await indexedDB.databases();
      const found = databases.map(({ name = '' }) => parseAdditionalDatabase(name, options.folder));
      return found.flatMap((one) => (one === undefined ? [] : [[one.id, one.names] as const]));
    } catch {
      // Refused, for instance in a sandbox.
      return undefined;
    }
  };
  const deleteStored = async (id: string): Promise<boolean> => {
    const all = await stored();
    for (const [other, names] of all ?? []) if (other === id) await deleteDatabase(databaseOf(id, names));
    return all !== undefined;
  };
  return {
    namesById: async () => new Map([...((await stored()) ?? []), ...(await inMemory.namesById())]),
    open: async (id, names) =>
      (await inMemory.namesById()).has(id) ? inMemory.open(id, names) : openStoredCluster({ ...options, names }, databaseOf(id, names)),
    openFresh: inMemory.openFresh,
    async fill(id, names, copy) {
      if (!(await deleteStored(id))) return inMemory.fill(id, names, copy);
      await fillDatabase(databaseOf(id, names), copy);
    },
    async remove(id) {
      await inMemory.remove(id);
      await deleteStored(id);
    },
  };
}

/** Additional clusters in memory, for the lifetime of the page. */
export function createMemoryClusterStores(options: BrowserClusterOptions): ClusterStores {
  const copies = new Map<string, { readonly names: ProductName; readonly copy: KeySpaceCopy | undefined }>();
  return {
    namesById: async () => new Map([...copies].map(([id, { names }]) => [id, names])),
    async open(id, names) {
      const cluster = await openMemoryCluster({ ...options, names }, { copy: copies.get(id)?.copy });
      // Its content is retained when it is closed for another cluster.
      return {
        ...cluster,
        close: async () => {
          if (copies.has(id)) copies.set(id, { names, copy: await cluster.copy() });
          await cluster.close();
        },
      };
    },
    openFresh: (names) => openMemoryCluster({ ...options, names }),
    fill: async (id, names, copy) => void copies.set(id, { names, copy }),
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

export interface MemoryClusterContent {
  readonly copy?: KeySpaceCopy | undefined;
  /** Reason shown to the user. */
  readonly reason?: string;
}

/** Opens a cluster in memory, for the lifetime of the page. */
export async function openMemoryCluster(
  options: BrowserClusterOptions,
  { copy, reason = '' }: MemoryClusterContent = {},
): Promise<RunningCluster> {
  const time = new RuntimeTime(createBrowserEnv().clock);
  return startCluster(options, { time, storage: createMemoryKeySpace(time.clock, copy), persistence: 'memory', reason });
}

const controllersOf: Readonly<Record<BrowserClusterOptions['controllers'], ClusterOptions['controllers']>> = {
  run: startControllersDelayed,
  'run-at-once': startControllers,
  none: 'none',
};

/** Webhooks are functions of page scripts, whose time is real. */
function createWebhookOutbound(): Outbound {
  const env = createBrowserEnv();
  return createHandlerOutbound(createPageWebhookCaller(env), env.clock);
}

function authorityOf(signer: CertificateSigner, product: Product, nowMs: () => number): RemoteAuthority {
  const names = serviceNames(product, clusterDefaults.serviceRanges);
  return {
    ...createCertificateAuthority(signer, nowMs),
    servingCertificate: async () => (await createServingCertificate(names, signer, nowMs())).certificate,
  };
}

interface OpenedStorage extends Pick<RunningCluster, 'persistence' | 'reason'> {
  readonly time: RuntimeTime;
  readonly storage: TimedKeySpace;
}

async function startCluster(
  options: BrowserClusterOptions,
  { time, storage, persistence, reason }: OpenedStorage,
): Promise<RunningCluster> {
  await time.load(storage);
  const env = { ...createBrowserEnv(), clock: time.clock };
  const product = productByName(options.names);
  const audit = await RuntimeAudit.open({ storage, product, env });
  const remoteNodes = new RemoteNodes();
  const nowMs = (): number => env.clock.nowMs();
  const signer = options.controllers === 'none' || !canSign() ? undefined : await openStoredSigner(storage, nowMs);
  const cluster = await createCluster({
    ...clusterDefaults,
    env,
    storage,
    product,
    remoteNodes,
    auditing: audit.auditing,
    controllers: controllersOf[options.controllers],
    authentication: {
      ...authenticationDefaults,
      tokens: pageUsers,
      publishedAuthorities: (pem) => createCertificateVerifier(pem, env.clock),
      ownAuthorities: signer && { clients: signer.certificate, frontProxy: undefined },
    },
    admission: { ...clusterDefaults.admission, outbound: createWebhookOutbound() },
    aggregation: { ...clusterDefaults.aggregation, transport: createPageTransport(createBrowserEnv()) },
    createSigningKey,
    rootAuthority: signer?.certificate,
    timingHeaders: 'everybody',
    ...(options.loadDescriptions ? { loadDescriptions: options.loadDescriptions } : {}),
  });
  const handle = signer ? wrapAuthorityHandler(authorityOf(signer, product, nowMs), cluster.handle, env.log) : cluster.handle;
  const sessions = new CertificateSessions(handle, env.clock, globalThis.origin);
  return {
    handle: remoteNodes.wrapHandler(time.wrapHandler(audit.wrapHandler(sessions.handle), storage)),
    persistence,
    reason,
    onTrace: (listener) => cluster.onTrace(listener),
    copy: () => copyKeySpace(storage),
    takenOver: new Promise(() => {}),
    deleted: new Promise(() => {}),
    close: () => {
      remoteNodes.close();
      time.close();
      return cluster.close();
    },
  };
}
