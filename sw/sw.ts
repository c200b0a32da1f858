import { base, framePolicy, shell } from 'virtual:tabplane-build';
import type { WorkerScope } from '../src/hosts/service-worker/index.ts';
import { startServiceWorker } from './core.ts';

declare const self: ServiceWorkerGlobalScope & WorkerScope;

startServiceWorker(self, { base, framePolicy, shell });
