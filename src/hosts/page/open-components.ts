import type { Env } from '../../env/index.ts';
import type { ProductName } from '../../meta/index.ts';
import type { Connection } from './connect-cluster.ts';
import { runComponents } from './run-components.ts';

export interface PageComponentsOptions {
  readonly connection: Connection;
  readonly env: Env;
  readonly names: ProductName;
  readonly componentsUrl: string;
}

/** Runs the components of the page's cluster while the setting `nodes` is on. The server of a remote cluster has its own. */
export function runPageComponents({ connection, env, names, componentsUrl }: PageComponentsOptions): void {
  const { log } = env;
  let current: string | undefined;
  let running = new AbortController();
  const update = (): void => {
    const next = placeOf(connection);
    if (next === current) return;
    running.abort();
    running = new AbortController();
    current = next;
    if (next === undefined) return;
    const cluster = next === inPage ? undefined : next;
    void runComponents({ cluster, api: connection.streamingApi, names, componentsUrl, log, signal: running.signal });
  };
  connection.onStatus(update);
  // The setting was changed in another tab.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'tabplane-nodes') document.documentElement.dataset['nodes'] = newValue ?? 'on';
  });
  new MutationObserver(update).observe(document.documentElement, { attributeFilter: ['data-nodes'] });
  update();
}

/** The place of a cluster that only this page has. */
const inPage = 'page';

/** Identifies the cluster in this browser; undefined: its components do not run here. */
function placeOf(connection: Connection): string | undefined {
  if (document.documentElement.dataset['nodes'] === 'off') return undefined;
  switch (connection.status().transport) {
    case 'connecting':
    case 'remote':
      return undefined;
    case 'service-worker':
    case 'service-worker-port':
      return connection.baseUrl;
    default:
      return inPage;
  }
}
