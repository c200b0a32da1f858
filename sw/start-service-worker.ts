import { descriptionsFile, names } from 'virtual:tabplane-build';
import { createBrowserEnv } from '../src/hosts/browser/browser-env.ts';
import { attemptsCachePrefix } from '../src/hosts/browser/database-names.ts';
import { createClusterStores, openCluster, requestedControllers, storeCluster } from '../src/hosts/browser/open-cluster.ts';
import {
  createAnsweredAttempts,
  FetchAttempts,
  fetchDescriptions,
  runServiceWorker,
  type ShellFiles,
  shellCacheName,
  type WorkerScope,
} from '../src/hosts/service-worker/index.ts';
import { productByName } from '../src/meta/index.ts';

/** Facts of the built page: they are in the worker's own file, so that the core stays the same when only the page changes. */
export interface BuiltPage {
  readonly base: string;
  readonly framePolicy: string;
  readonly shell: ShellFiles;
}

/** Serves the cluster of the worker's scope, and the page's files. */
export function startServiceWorker(scope: ServiceWorkerGlobalScope & WorkerScope, { base, framePolicy, shell }: BuiltPage): void {
  const folder = new URL(scope.registration.scope).pathname;
  const options = {
    names,
    folder,
    controllers: requestedControllers(scope.location.href),
    loadDescriptions: () => fetchDescriptions(descriptionsFile, scope.registration.scope, shellCacheName(shell.version)),
  };
  const env = createBrowserEnv();
  const attempts = new FetchAttempts(createAnsweredAttempts(caches, attemptsCachePrefix(options)), env);
  runServiceWorker(scope, {
    clock: env.clock,
    base,
    shell,
    framePolicy,
    open: () => openCluster(options),
    others: createClusterStores(options),
    product: productByName(names),
    store: (copy) => storeCluster(options, copy),
    attempts,
  });
}
