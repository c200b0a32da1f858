import { base, coreFile, names, release, workerFile, workerType } from 'virtual:tabplane-build';
import { mountConsole } from '../../console/index.ts';
import { productNamed } from '../../meta/index.ts';
import { createBrowserEnv } from '../browser/index.ts';
import { connectCluster } from './connect-cluster.ts';

/** The page: finds the way to its cluster and opens the console; what is typed meanwhile waits for the way. */
const at = (file: string): string => new URL(file, document.baseURI).href;
const env = createBrowserEnv();
const connection = connectCluster({
  env,
  baseUrl: at(base),
  workerUrl: at(workerFile),
  workerType,
  coreUrl: at(coreFile),
});

// For scripts of the page's user, as its README says: `await tabplane.api(…)`.
Object.assign(globalThis, { tabplane: connection });
void mountConsole(document.body, { connection, env, product: productNamed(names), release });
