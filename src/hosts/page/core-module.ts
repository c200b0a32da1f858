import { names } from 'virtual:tabplane-build';
import { servePort } from '../../client/index.ts';
import type { RequestTrace } from '../../meta/index.ts';
import { ClusterHolder, type OpenedCluster } from '../browser/index.ts';
import { openMemoryCluster } from '../browser/open-cluster.ts';

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
export function serveCore(scope: CoreWorkerScope, open: () => Promise<OpenedCluster> = openPageCluster): void {
  const holder = new ClusterHolder(async () => {
    const cluster = await open();
    cluster.onTrace((trace) => scope.postMessage({ kind: 'trace', trace } satisfies FromCoreWorker));
    return cluster;
  });
  servePort(scope, holder.handle);
  scope.postMessage({ kind: 'ready' } satisfies FromCoreWorker);
}

/** The cluster of a page that has no worker at all. */
export function openPageCluster(): Promise<OpenedCluster> {
  return openMemoryCluster(names);
}

export { createCluster } from './create-cluster.ts';
