import { base, coreFile, workerFile, workerType } from 'virtual:tabplane-build';
import { createBrowserEnv } from '../browser/index.ts';
import { connectCluster } from './connect-cluster.ts';

const at = (file: string): string => new URL(file, document.baseURI).href;
const connection = connectCluster({
  env: createBrowserEnv(),
  baseUrl: at(base),
  workerUrl: at(workerFile),
  workerType,
  coreUrl: at(coreFile),
});
Object.assign(globalThis, { tabplane: connection });
