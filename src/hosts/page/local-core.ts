import { createPortHandler } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import type { FromCoreWorker, openPageCore, TraceTold } from './core-module.ts';

export interface LocalCore {
  readonly transport: 'worker' | 'page';
  readonly handle: ApiHandler;
  close(): void;
}

const readyMs = 10_000;

/**
 * Starts the cluster of a page without Service Worker or storage (a sandbox, a foreign frame, a private window): in a classic worker from
 * a blob, which works wherever workers do, else in the page itself. It lives as long as the page.
 */
export async function startLocalCore(coreUrl: string, clock: Clock, told: TraceTold): Promise<LocalCore> {
  try {
    return await startInWorker(coreUrl, clock, told);
  } catch {
    // For instance refused by the content security policy; the page itself can always run the core.
    return startInPage(coreUrl, told);
  }
}

async function startInWorker(coreUrl: string, clock: Clock, told: TraceTold): Promise<LocalCore> {
  // A module worker from a blob fails where the origin is opaque; a classic one with import() works there too.
  const source = `import(${JSON.stringify(coreUrl)}).then((core) => core.serveCore(self), (error) => postMessage({ kind: 'broken', message: String(error) }));`;
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(url);
  const port = createPortHandler(worker);
  try {
    await ready(worker, clock, told);
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    URL.revokeObjectURL(url);
  }
  const close = (): void => {
    worker.terminate();
    port.lost();
  };
  return { transport: 'worker', handle: port.handle, close };
}

function ready(worker: Worker, clock: Clock, told: TraceTold): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = clock.schedule(readyMs, () => reject(new Error('the core did not start')));
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'workers are refused')));
    worker.addEventListener('message', ({ data }: MessageEvent<FromCoreWorker>) => {
      if (data.kind === 'trace') told(data.trace, data.cluster);
      if (data.kind === 'broken') reject(new Error(data.message));
      if (data.kind === 'ready') {
        late();
        resolve();
      }
    });
  });
}

async function startInPage(coreUrl: string, told: TraceTold): Promise<LocalCore> {
  const core = (await import(/* @vite-ignore */ coreUrl)) as { readonly openPageCore: typeof openPageCore };
  const clusters = core.openPageCore(told);
  return { transport: 'page', handle: clusters.handle, close: () => void clusters.close() };
}
