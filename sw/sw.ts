import { base, names, shell } from 'virtual:tabplane-build';
import { openCluster, otherClusters } from '../src/hosts/browser/open-cluster.ts';
import { runServiceWorker, type WorkerScope } from '../src/hosts/service-worker/index.ts';

declare const self: ServiceWorkerGlobalScope & WorkerScope;

runServiceWorker(self, { base, shell, open: () => openCluster(names), others: otherClusters(names) });
