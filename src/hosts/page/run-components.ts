import { servePort } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import type { ApiHandler, ProductName } from '../../meta/index.ts';
import type { FromComponents, StartComponents } from '../components/messages.ts';
import { startModuleWorker } from './module-worker.ts';

export interface RunComponentsOptions {
  /** Identifies the cluster in this browser; undefined: only this page has it. */
  readonly cluster: string | undefined;
  readonly api: ApiHandler;
  readonly names: ProductName;
  /** Name of the BroadcastChannel for scheduling decisions. */
  readonly schedulingChannel: string;
  /** Absolute URL of the components as a module. */
  readonly componentsUrl: string;
  /** Absolute URL of the core as a module. */
  readonly coreUrl: string;
  /** Number of simulated nodes. */
  readonly nodes: number;
  /** Scripts of container images, by the repository of the image: paths from the folder of the page. */
  readonly images: Readonly<Record<string, string>>;
  /** Stops the components of other pages first. Else this page waits for them. */
  readonly takeOver: boolean;
  readonly log: Env['log'];
  readonly signal: AbortSignal;
}

/**
 * Runs the controllers, the scheduler and the nodes of a cluster in a worker, in one of the pages that have the cluster open: the one that
 * has its Web Lock. The browser releases the lock of a closed page, and the next page starts its worker.
 */
export async function runComponents({ cluster, takeOver, signal, ...options }: RunComponentsOptions): Promise<void> {
  if (cluster === undefined) return runWorker(options, signal);
  for (let isStealing = takeOver; !signal.aborted; isStealing = false) {
    const lost = new AbortController();
    const lead = (): Promise<void> => runWorker(options, AbortSignal.any([signal, lost.signal]));
    try {
      return await navigator.locks.request(`components ${cluster}`, isStealing ? { steal: true } : { signal }, lead);
    } catch (error) {
      // Another page has taken over. This one waits until that page is closed.
      lost.abort();
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    }
  }
}

/** Resolves when the signal aborts, or the browser refuses the worker. */
function runWorker(
  {
    api,
    names,
    schedulingChannel,
    componentsUrl,
    coreUrl,
    nodes,
    images,
    log,
  }: Omit<RunComponentsOptions, 'cluster' | 'takeOver' | 'signal'>,
  signal: AbortSignal,
): Promise<void> {
  const worker = startModuleWorker(componentsUrl, 'serveComponents');
  const { port1, port2 } = new MessageChannel();
  const endRequests = servePort(port1, api);
  port1.start();
  const stop = (): void => {
    worker.terminate();
    endRequests();
    port1.close();
  };
  return new Promise<void>((resolve, reject) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'workers are refused')), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<FromComponents>) => {
      if (data.kind === 'broken') return reject(new Error(data.message));
      worker.postMessage({ kind: 'start', names, nodes, images: absolute(images), coreUrl, schedulingChannel } satisfies StartComponents, [
        port2,
      ]);
    });
  })
    .catch((error: unknown) => log.warn('controllers, scheduler and nodes do not run', { error }))
    .finally(stop);
}

const absolute = (paths: RunComponentsOptions['images']): StartComponents['images'] =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, new URL(path, document.baseURI).href]));
