import type { EnginePort, FromEngine, ToEngine } from '../../embed/index.ts';
import type { EngineScope } from './engine.ts';
import { loadScript } from './load-script.ts';
import type { ScriptGlobals } from './scripts.ts';
import { type ScriptUrls, serveInWorker } from './serve-in-worker.ts';

/**
 * Starts the engine in the first place that works: a worker of the scripts' origin, where the page has it; a worker from a blob, in foreign and
 * sandboxed frames; or the page itself, where its policy refuses workers. None of them needs storage, a Service Worker or CORS headers.
 * @throws Error when the scripts cannot be loaded
 */
export async function startEngine(urls: ScriptUrls, workerUrl: string): Promise<EnginePort> {
  const starts = [...(new URL(workerUrl).origin === location.origin ? [() => new Worker(workerUrl)] : []), () => startBlobWorker(urls)];
  for (const start of starts) {
    try {
      return await whenReady(start());
    } catch {
      // Refused by the policy of the page; or the scripts are missing, which the page itself reports below.
    }
  }
  return startInPage(urls);
}

/** A classic worker: module workers from blobs do not work in opaque origins. */
function startBlobWorker(urls: ScriptUrls): Worker {
  const source = `(${serveInWorker})(${JSON.stringify(urls)})`;
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(url);
  const revoke = (): void => URL.revokeObjectURL(url);
  worker.addEventListener('message', revoke, { once: true });
  worker.addEventListener('error', revoke, { once: true });
  return worker;
}

function whenReady(worker: Worker): Promise<EnginePort> {
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => {
      worker.terminate();
      reject(new Error(message));
    };
    worker.addEventListener('error', ({ message }) => fail(message || 'workers are refused'), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => {
      if (data.kind === 'broken') fail(data.message);
      if (data.kind !== 'ready') return;
      resolve({
        send: (message) => worker.postMessage(message),
        onMessage: (listener) => worker.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => listener(data)),
        terminate: () => worker.terminate(),
      });
    });
  });
}

async function startInPage(urls: ScriptUrls): Promise<EnginePort> {
  for (const script of urls.core) await loadScript(script);
  await loadScript(urls.engine);
  const globals = globalThis as unknown as ScriptGlobals;
  const { tabplaneCore, tabplaneEngine } = globals;
  const { port1, port2 } = new MessageChannel();
  const scope: EngineScope = {
    postMessage: (message) => port2.postMessage(message),
    addEventListener: (type, listener) => port2.addEventListener(type, listener),
  };
  tabplaneEngine.serveEngine(scope, {
    core: tabplaneCore,
    async loadKustomize() {
      if (!globals.tabplaneKustomize) await loadScript(urls.kustomize);
      return globals.tabplaneKustomize;
    },
    async loadComponents() {
      await loadScript(urls.components);
      return globals.tabplaneComponents;
    },
    loadDescriptions: async () => (await fetch(urls.descriptions)).json(),
  });
  port1.start();
  port2.start();
  return {
    send: (message: ToEngine) => port1.postMessage(message),
    onMessage: (listener) => port1.addEventListener('message', ({ data }: MessageEvent<FromEngine>) => listener(data)),
    terminate: () => port1.close(),
  };
}
