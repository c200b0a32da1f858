import { type RequestTrace, servePort } from '../../client/index.ts';
import { ClusterHolder, createBrowserEnv, type OpenedCluster } from '../browser/index.ts';
import { openMemoryCluster } from '../browser/open-cluster.ts';
import { type Cluster, type ClusterSettings, createLibraryCluster } from '../library/index.ts';

/** What a core in a plain worker says beside the answers. */
export type FromCoreWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'trace'; readonly trace: RequestTrace };

/** The scope of a dedicated worker, as far as it is used. */
interface CoreWorkerScope {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** In a worker: serves the cluster to the page that made the worker. */
export function serveCore(scope: CoreWorkerScope, open: () => Promise<OpenedCluster> = openMemoryCluster): void {
  const holder = new ClusterHolder(async () => {
    const cluster = await open();
    cluster.onTrace((trace) => scope.postMessage({ kind: 'trace', trace } satisfies FromCoreWorker));
    return cluster;
  });
  servePort(scope, holder.handle);
  scope.postMessage({ kind: 'ready' } satisfies FromCoreWorker);
}

/** The library in a page: a cluster of its own, in memory. @throws TokenFileError */
export function createCluster(settings: ClusterSettings = {}): Promise<Cluster> {
  return createLibraryCluster(createBrowserEnv(), settings);
}

export { openMemoryCluster };
