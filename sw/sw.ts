import { base, framePolicy, names, shell } from 'virtual:tabplane-build';
import { createBrowserEnv } from '../src/hosts/browser/browser-env.ts';
import { attemptsCachePrefix } from '../src/hosts/browser/database-names.ts';
import { createClusterStores, openCluster, requestedControllers, storeCluster } from '../src/hosts/browser/open-cluster.ts';
import { createAnsweredAttempts, FetchAttempts, runServiceWorker, type WorkerScope } from '../src/hosts/service-worker/index.ts';
import { productByName } from '../src/meta/index.ts';

declare const self: ServiceWorkerGlobalScope & WorkerScope;

const folder = new URL(self.registration.scope).pathname;
const options = { names, folder, controllers: requestedControllers(self.location.href) };
const attempts = new FetchAttempts(createAnsweredAttempts(caches, attemptsCachePrefix(options)), createBrowserEnv());
runServiceWorker(self, {
  base,
  shell: { ...shell, framePolicy },
  open: () => openCluster(options),
  others: createClusterStores(options),
  product: productByName(names),
  store: (copy) => storeCluster(options, copy),
  attempts,
});
