import { base, componentsFile, coreFile, names, release, server, workerFile, workerType } from 'virtual:tabplane-build';
import { mountConsole } from '../../console/index.ts';
import type { ProductName } from '../../meta/index.ts';
import { createBrowserEnv } from '../browser/index.ts';
import { servePageApiServers } from '../browser/page-api-servers.ts';
import { servePageWebhooks } from '../browser/page-webhooks.ts';
import type { ApiServerHandler } from '../service-handlers.ts';
import type { WebhookHandler } from '../webhook-handlers.ts';
import { connectCluster } from './connect-cluster.ts';
import type { CredentialPlugin } from './credential-plugins.ts';

/** Entry point of the page: connects to the cluster and mounts the console; requests wait for the connection. */
const at = (file: string): string => new URL(file, document.baseURI).href;
const env = createBrowserEnv();
const connection = connectCluster({
  env,
  names,
  baseUrl: at(base),
  workerUrl: at(workerFile),
  workerType,
  coreUrl: at(coreFile),
  ...(server === '' ? {} : { remoteUrl: server }),
});

const plugins = new Map<string, CredentialPlugin>();
const webhooks = new Map<string, WebhookHandler>();
servePageWebhooks(webhooks);
const apiServers = new Map<string, ApiServerHandler>();
servePageApiServers(apiServers, env);

// For user scripts, as documented in docs/page-plugins.md: `await tabplane.api(…)`, `tabplane.plugins.set(…)`, `tabplane.webhooks.set(…)`,
// `tabplane.apiServers.set(…)`.
Object.assign(globalThis, { tabplane: Object.assign(connection, { plugins, webhooks, apiServers }) });
const componentsOptions = { connection, env, names, componentsUrl: at(componentsFile), coreUrl: at(coreFile) };
const reportFailure = (error: unknown): void => env.log.warn('controllers, scheduler and nodes do not run', { error });
let shown: readonly [id: string, names: ProductName] = ['', names];
let runComponentsOf = (_id: string, _names: ProductName): void => undefined;
const mounted = mountConsole(document.body, {
  connection,
  env,
  names,
  release,
  onShow: ({ id, kind, names }) => {
    shown = kind === 'named' ? [id, names] : ['', names];
    runComponentsOf(...shown);
  },
  runComponents: (cluster) => {
    let stop = (): void => undefined;
    let isStopped = false;
    import('./open-components.ts')
      .then(({ runLessonComponents }) => {
        if (!isStopped) stop = runLessonComponents(componentsOptions, cluster);
      })
      .catch(reportFailure);
    return () => {
      isStopped = true;
      stop();
    };
  },
  plugins: {
    // A page has a user, so plugins may be interactive.
    isTerminal: () => true,
    run: async (run) => (await import('./credential-plugins.ts')).runPagePlugin(plugins, run),
  },
});

// Loaded after the console, whose first commands must not wait for it.
void mounted.then(() =>
  import('./open-components.ts')
    .then(({ runPageComponents }) => {
      runComponentsOf = runPageComponents(componentsOptions);
      runComponentsOf(...shown);
    })
    .catch(reportFailure),
);
