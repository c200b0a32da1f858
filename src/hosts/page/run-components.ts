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
  readonly log: Env['log'];
  readonly signal: AbortSignal;
}

/** Number of simulated nodes of a cluster. */
const nodes = 3;

/**
 * Runs the controllers, the scheduler and the nodes of a cluster in a worker, in one of the pages that have the cluster open: the one that
 * has its Web Lock. The browser releases the lock of a closed page, and the next page starts its worker.
 */
export async function runComponents({ cluster, signal, ...options }: RunComponentsOptions): Promise<void> {
  const lead = (): Promise<void> => runWorker(options, signal);
  if (cluster === undefined) return lead();
  await navigator.locks.request(`components ${cluster}`, { signal }, lead).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Resolves when the signal aborts, or the browser refuses the worker. */
function runWorker(
  { api, names, schedulingChannel, componentsUrl, log }: Omit<RunComponentsOptions, 'cluster' | 'signal'>,
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
    signal.addEventListener('abort', () => resolve(), { once: true });
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'workers are refused')), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<FromComponents>) => {
      if (data.kind === 'broken') return reject(new Error(data.message));
      worker.postMessage({ kind: 'start', names, nodes, schedulingChannel } satisfies StartComponents, [port2]);
    });
  })
    .catch((error: unknown) => log.warn('controllers, scheduler and nodes do not run', { error }))
    .finally(stop);
}
