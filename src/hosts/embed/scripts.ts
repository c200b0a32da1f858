import type { Explanations } from '../../cluster/index.ts';
import type { evaluateChecksAsAdmin } from '../browser/lesson-checks.ts';
import type { BrowserClusterOptions, openMemoryCluster } from '../browser/open-cluster.ts';
import type { startComponents } from '../components/start-components.ts';
import type { compileDeviceSelector } from '../page/core-module.ts';
import type { serveEngine } from './engine.ts';
import type { createViews } from './example-views.ts';

/**
 * The built scripts assign their exports to global variables: modules need CORS headers where the origin is opaque, as in a sandboxed frame,
 * and classic scripts do not.
 */
export interface ScriptGlobals {
  readonly tabplaneCore: CoreScript;
  readonly tabplaneComponents: ComponentsScript;
  readonly tabplaneEngine: { readonly serveEngine: typeof serveEngine };
  /** Undefined before it is loaded. */
  readonly tabplaneKustomize: unknown;
  readonly tabplaneExampleViews: { readonly createViews: typeof createViews };
}

/** The used exports of the core (sw/core.ts). */
export interface CoreScript {
  readonly openMemoryCluster: typeof openMemoryCluster;
  readonly evaluateChecksAsAdmin: typeof evaluateChecksAsAdmin;
  readonly compileDeviceSelector: typeof compileDeviceSelector;
}

/** The used exports of the components (sw/components.ts). */
export interface ComponentsScript {
  readonly startComponents: typeof startComponents;
  readonly Explanations: typeof Explanations;
}

/** The scripts in the thread of the engine. */
export interface LoadedScripts {
  readonly core: CoreScript;
  /** Loads the part of kubectl that the build has in a script of its own (sw/vite-plugin.ts). */
  readonly loadKustomize: () => Promise<unknown>;
  /** Loads controllers, scheduler and nodes. */
  readonly loadComponents: () => Promise<ComponentsScript>;
  readonly loadDescriptions: NonNullable<BrowserClusterOptions['loadDescriptions']>;
}
