import { createPortHandler } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import type { ClusterTraceListener, FromCoreWorker, openPageCore } from './core-module.ts';
import { startModuleWorker } from './module-worker.ts';

export interface LocalCore {
  readonly transport: 'worker' | 'page';
  readonly handle: ApiHandler;
  close(): void;
}

/** For the download and start of the core on a slow network or a busy machine. */
const readyTimeoutMs = 60_000;

/**
 * Starts the cluster of a page without Service Worker or storage (a sandbox, a foreign frame, a private window): in a classic worker from
 * a blob, which works wherever workers do, else in the page itself. It lives as long as the page.
 */
export async function startLocalCore(coreUrl: string, clock: Clock, onTrace: ClusterTraceListener): Promise<LocalCore> {
  try {
    return await startInWorker(coreUrl, clock, onTrace);
  } catch {
    // For instance refused by the content security policy; the page itself can always run the core.
    return startInPage(coreUrl, onTrace);
  }
}

async function startInWorker(coreUrl: string, clock: Clock, onTrace: ClusterTraceListener): Promise<LocalCore> {
  const worker = startModuleWorker(coreUrl, 'serveCore');
  const port = createPortHandler(worker);
  try {
    await waitUntilReady(worker, clock, onTrace);
  } catch (error) {
    worker.terminate();
    throw error;
  }
  const close = (): void => {
    worker.terminate();
    port.markClosed();
  };
  return { transport: 'worker', handle: port.handle, close };
}

function waitUntilReady(worker: Worker, clock: Clock, onTrace: ClusterTraceListener): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = clock.schedule(readyTimeoutMs, () => reject(new Error('the core did not start')));
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'workers are refused')));
    worker.addEventListener('message', ({ data }: MessageEvent<FromCoreWorker>) => {
      if (data.kind === 'trace') onTrace(data.trace, data.cluster);
      if (data.kind === 'broken') reject(new Error(data.message));
      if (data.kind === 'ready') {
        late();
        resolve();
      }
    });
  });
}

async function startInPage(coreUrl: string, onTrace: ClusterTraceListener): Promise<LocalCore> {
  const core = (await import(/* @vite-ignore */ coreUrl)) as { readonly openPageCore: typeof openPageCore };
  const clusters = core.openPageCore(onTrace);
  return { transport: 'page', handle: clusters.handle, close: () => void clusters.close() };
}
