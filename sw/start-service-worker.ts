import { descriptionsFile, names } from 'virtual:tabplane-build';
import { createBrowserEnv } from '../src/hosts/browser/browser-env.ts';
import { attemptsCachePrefix } from '../src/hosts/browser/database-names.ts';
import { createClusterStores, openCluster, requestedControllers, storeCluster } from '../src/hosts/browser/open-cluster.ts';
import {
  createAnsweredAttempts,
  FetchAttempts,
  fetchDescriptions,
  runServiceWorker,
  shellCacheName,
  type WorkerScope,
} from '../src/hosts/service-worker/index.ts';
import { productByName } from '../src/meta/index.ts';

/** Facts of the built page: they are in the worker's own file, so that the core stays the same when only the page changes. */
export interface BuiltPage {
  readonly base: string;
  readonly framePolicy: string;
  /** `assets` are names in the folder of the same name, since the list is a large part of the worker's own file. */
  readonly shell: { readonly version: string; readonly files: readonly string[]; readonly assets: readonly string[] };
}

/** Serves the cluster of the worker's scope, and the page's files. */
export function startServiceWorker(scope: ServiceWorkerGlobalScope & WorkerScope, { base, framePolicy, shell }: BuiltPage): void {
  const folder = new URL(scope.registration.scope).pathname;
  const options = {
    names,
    folder,
    controllers: requestedControllers(scope.location.href),
    loadDescriptions: () => fetchDescriptions(new URL(descriptionsFile, scope.location.href).href, shellCacheName(shell.version)),
  };
  const attempts = new FetchAttempts(createAnsweredAttempts(caches, attemptsCachePrefix(options)), createBrowserEnv());
  runServiceWorker(scope, {
    base,
    shell: { version: shell.version, files: [...shell.files, ...shell.assets.map((name) => `assets/${name}`)], framePolicy },
    open: () => openCluster(options),
    others: createClusterStores(options),
    product: productByName(names),
    store: (copy) => storeCluster(options, copy),
    attempts,
  });
}
