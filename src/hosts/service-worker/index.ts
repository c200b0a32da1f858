/** The Service Worker host: handles requests below the base URL with the core, and caches the page's files. */
export { createAnsweredAttempts } from './answered-attempts.ts';
export { FetchAttempts } from './fetch-attempts.ts';
export type { FromWorker, ToWorker } from './messages.ts';
export type { StreamLimits } from './open-streams.ts';
export { runServiceWorker, type ServiceWorkerOptions } from './run-service-worker.ts';
export type { ShellFiles } from './shell.ts';
export type { WorkerScope } from './worker-scope.ts';
