import { base, coreFile, names, release, workerFile, workerType } from 'virtual:tabplane-build';
import { mountConsole } from '../../console/index.ts';
import { productNamed } from '../../meta/index.ts';
import { createBrowserEnv } from '../browser/index.ts';
import { connectCluster } from './connect-cluster.ts';
import type { CredentialPlugin } from './credential-plugins.ts';

/** The page: finds the way to its cluster and opens the console; what is typed meanwhile waits for the way. */
const at = (file: string): string => new URL(file, document.baseURI).href;
const env = createBrowserEnv();
const connection = connectCluster({
  env,
  names,
  baseUrl: at(base),
  workerUrl: at(workerFile),
  workerType,
  coreUrl: at(coreFile),
});

const plugins = new Map<string, CredentialPlugin>();

// For scripts of the page's user, as its README says: `await tabplane.api(…)`, `tabplane.plugins.set(…)`.
Object.assign(globalThis, { tabplane: Object.assign(connection, { plugins }) });
void mountConsole(document.body, {
  connection,
  env,
  product: productNamed(names),
  release,
  plugins: {
    // A page has somebody before it, whom a plugin may ask.
    isTerminal: () => true,
    run: async (run) => (await import('./credential-plugins.ts')).runPagePlugin(plugins, run),
  },
});
