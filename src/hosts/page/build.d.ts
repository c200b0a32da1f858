/** What the build knows of its own files (sw/vite-plugin.ts). */
declare module 'virtual:tabplane-build' {
  /** Where the cluster answers: relative to the page's folder, or absolute. */
  export const base: string;
  /** Whose names the cluster speaks. */
  export const names: 'svc' | 'kubernetes';
  /** Which pages may show this one in a frame, as a content security policy. */
  export const framePolicy: string;
  /** Which release of Tabplane this is: `0.1.0`. */
  export const release: string;
  /** The worker's file, relative to the page's folder. */
  export const workerFile: string;
  export const workerType: 'classic' | 'module';
  /** The core as a module, for pages that may not have a Service Worker; relative to the page's folder. */
  export const coreFile: string;
  /** The page's own files and a version that changes with them; empty in development. */
  export const shell: { readonly version: string; readonly files: readonly string[] };
}
