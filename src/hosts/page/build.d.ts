/** Build constants (sw/vite-plugin.ts). */
declare module 'virtual:tabplane-build' {
  /** Base URL of the cluster: relative to the page's folder, or absolute. */
  export const base: string;
  /** URL of a remote API server that the page uses instead of a cluster of its own; empty: none. */
  export const server: string;
  /** The product names of the cluster's API. */
  export const names: 'svc' | 'kubernetes';
  /** Content security policy of frame ancestors. */
  export const framePolicy: string;
  /** Release of Tabplane: `0.1.0`. */
  export const release: string;
  /** The worker's file, relative to the page's folder. */
  export const workerFile: string;
  export const workerType: 'classic' | 'module';
  /** The core as a module, for pages without a Service Worker; relative to the page's folder. */
  export const coreFile: string;
  /** Controllers, scheduler and nodes as a module; relative to the page's folder. */
  export const componentsFile: string;
  /** The core and the components as classic scripts; relative to the page's folder. */
  export const coreScripts: readonly string[];
  export const componentsScript: string;
  /** kubectl and the sessions of live examples, a classic script beside the core. */
  export const engineScript: string;
  /** kustomize, which the engine of live examples loads on demand; a classic script. */
  export const kustomizeScript: string;
  /** Editors, outputs and results of live examples, a classic script. */
  export const exampleViewScript: string;
  /** The worker of live examples, for pages of the same origin. */
  export const exampleWorkerFile: string;
  /** Descriptions of the types of the API as JSON; relative to the page's folder. */
  export const descriptionsFile: string;
  /** The page's files (service-worker/shell.ts); empty in development. */
  export const shell: import('../service-worker/index.ts').ShellFiles;
}
