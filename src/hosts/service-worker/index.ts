/** The Service Worker host: handles requests below the base URL with the core, and caches the page's files. */
export { createAnsweredAttempts } from './answered-attempts.ts';
export { FetchAttempts } from './fetch-attempts.ts';
export { fetchDescriptions } from './fetch-descriptions.ts';
export { runServiceWorker } from './run-service-worker.ts';
export { type ShellFiles, shellCacheName } from './shell.ts';
export type { ArchiveIndex } from './stored-archive.ts';
export type { WorkerScope } from './worker-scope.ts';
