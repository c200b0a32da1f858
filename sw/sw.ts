import { base, framePolicy, names, shell } from 'virtual:tabplane-build';
import { createBrowserEnv } from '../src/hosts/browser/browser-env.ts';
import { attemptsDatabaseName } from '../src/hosts/browser/database-names.ts';
import { createClusterStores, openCluster, requestedControllers, storeCluster } from '../src/hosts/browser/open-cluster.ts';
import { createAnsweredAttempts, FetchAttempts, runServiceWorker, type WorkerScope } from '../src/hosts/service-worker/index.ts';
import { productNamed } from '../src/meta/index.ts';

declare const self: ServiceWorkerGlobalScope & WorkerScope;

const folder = new URL(self.registration.scope).pathname;
const kind = { names, folder, controllers: requestedControllers(self.location.href) };
const attempts = new FetchAttempts(createAnsweredAttempts(indexedDB, attemptsDatabaseName(kind)), createBrowserEnv());
runServiceWorker(self, {
  base,
  shell: { ...shell, framePolicy },
  open: () => openCluster(kind),
  others: createClusterStores(kind),
  product: productNamed(names),
  store: (copy) => storeCluster(kind, copy),
  attempts,
});
