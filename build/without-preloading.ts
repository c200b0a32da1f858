import type { Plugin } from 'vite';

/**
 * Replaces Vite's helper around dynamic imports, which preloads the dependencies and styles of a chunk: here no chunk has any to preload
 * (vite.config.ts), and the helper would be 1 kB of the first load. In scripts it does not work.
 */
export function withoutPreloading(): Plugin {
  const helper = '\0vite/preload-helper.js';
  return {
    name: 'tabplane-without-preloading',
    enforce: 'pre',
    apply: 'build',
    load: (id) => (id === helper ? 'export const __vitePreload = (load) => load();' : undefined),
  };
}
