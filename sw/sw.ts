import { base, framePolicy, names, shell } from 'virtual:tabplane-build';
import { controllersAsked, openCluster, otherClusters } from '../src/hosts/browser/open-cluster.ts';
import { runServiceWorker, type WorkerScope } from '../src/hosts/service-worker/index.ts';
import { productNamed } from '../src/meta/index.ts';

declare const self: ServiceWorkerGlobalScope & WorkerScope;

const folder = new URL(self.registration.scope).pathname;
const kind = { names, folder, controllers: controllersAsked(self.location.href) };
runServiceWorker(self, {
  base,
  shell: { ...shell, framePolicy },
  open: () => openCluster(kind),
  others: otherClusters(kind),
  product: productNamed(names),
});
