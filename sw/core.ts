/**
 * Everything that runs a cluster in a browser: in the Service Worker, in a dedicated worker, in the page, and as the library. It is built
 * once; `sw.js` loads it by importScripts(), and `core.js` exports it as a module.
 */
export * from '../src/hosts/page/core-module.ts';
export { startServiceWorker } from './start-service-worker.ts';
