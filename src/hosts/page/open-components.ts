import { schedulingChannelName } from '../../client/index.ts';
import type { LessonCluster } from '../../console/index.ts';
import type { Env } from '../../env/index.ts';
import type { ProductName } from '../../meta/index.ts';
import type { Connection } from './connect-cluster.ts';
import { runComponents } from './run-components.ts';

export interface PageComponentsOptions {
  readonly connection: Connection;
  readonly env: Env;
  /** The names of the page's own cluster. */
  readonly names: ProductName;
  readonly componentsUrl: string;
  /** Absolute URL of the core as a module. */
  readonly coreUrl: string;
}

/**
 * Runs the components of the page's own cluster, and those of the additional cluster that the returned function gets, while the setting
 * `nodes` is on. An empty id: of no additional one.
 */
export function runPageComponents(options: PageComponentsOptions): (id: string, names: ProductName) => void {
  const { connection } = options;
  followCluster(connection, options, ordinary);
  // The setting was changed in another tab.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'tabplane-nodes') document.documentElement.dataset['nodes'] = newValue ?? 'on';
  });
  let [shown, stop] = ['', (): void => undefined];
  return (id, names) => {
    if (id === shown) return;
    stop();
    shown = id;
    stop = id === '' ? () => undefined : followCluster(connection.beside(id), { ...options, names }, ordinary);
  };
}

/**
 * Runs the components of a lesson's cluster until the returned function is called. Those of another page are stopped: they may know the
 * content of the cluster before it was replaced.
 */
export function runLessonComponents(options: PageComponentsOptions, { id, names, nodes, images }: LessonCluster): () => void {
  return followCluster(options.connection.beside(id), { ...options, names }, { nodes, images, takeOver: true, alwaysRuns: true });
}

interface ClusterComponents extends Pick<LessonCluster, 'nodes' | 'images'> {
  /** Whether the components of other pages are stopped. */
  readonly takeOver: boolean;
  /** Whether the components run although the setting is off. */
  readonly alwaysRuns: boolean;
}

const ordinary: ClusterComponents = { nodes: 3, images: {}, takeOver: false, alwaysRuns: false };

/** Starts and stops the components of one cluster with the setting and the transport; the returned function ends this. */
function followCluster(
  connection: Connection,
  { env: { log }, names, componentsUrl, coreUrl }: PageComponentsOptions,
  { alwaysRuns, ...components }: ClusterComponents,
): () => void {
  let current: string | undefined;
  let running = new AbortController();
  const update = (): void => {
    const isOff = !alwaysRuns && document.documentElement.dataset['nodes'] === 'off';
    const next = isOff ? undefined : placeOf(connection);
    if (next === current) return;
    running.abort();
    running = new AbortController();
    current = next;
    if (next === undefined) return;
    const cluster = next === inPage ? undefined : next;
    const schedulingChannel = schedulingChannelName(connection.baseUrl);
    const { signal } = running;
    void runComponents({
      ...components,
      cluster,
      api: connection.streamingApi,
      names,
      schedulingChannel,
      componentsUrl,
      coreUrl,
      log,
      signal,
    });
  };
  const ignoreStatus = connection.onStatus(update);
  const observer = new MutationObserver(update);
  observer.observe(document.documentElement, { attributeFilter: ['data-nodes'] });
  update();
  return () => {
    ignoreStatus();
    observer.disconnect();
    running.abort();
  };
}

/** The place of a cluster that only this page has. */
const inPage = 'page';

/** Identifies the cluster in this browser; undefined: its components do not run here. */
function placeOf(connection: Connection): string | undefined {
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
