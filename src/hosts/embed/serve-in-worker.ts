import type { EngineScope } from './engine.ts';
import type { ScriptGlobals } from './scripts.ts';

/** Absolute URLs of the built scripts and data of the engine. */
export interface ScriptUrls {
  readonly core: readonly string[];
  readonly engine: string;
  readonly kustomize: string;
  readonly components: string;
  readonly descriptions: string;
}

declare const self: EngineScope & ScriptGlobals & { importScripts(...urls: readonly string[]): void };

/**
 * The source of the worker. It runs in the worker, so it contains no other function of this module. `importScripts` needs no CORS headers,
 * and works in workers with an opaque origin.
 */
export function serveInWorker(urls: ScriptUrls): void {
  try {
    self.importScripts(...urls.core);
    self.importScripts(urls.engine);
  } catch (error) {
    self.postMessage({ kind: 'broken', message: String(error) });
    return;
  }
  self.tabplaneEngine.serveEngine(self, {
    core: self.tabplaneCore,
    loadKustomize: async () => {
      if (!self.tabplaneKustomize) self.importScripts(urls.kustomize);
      return self.tabplaneKustomize;
    },
    loadComponents: async () => {
      self.importScripts(urls.components);
      return self.tabplaneComponents;
    },
    loadDescriptions: async () => (await fetch(urls.descriptions)).json(),
  });
}
