/** The console in Lit: frame, terminal, requests, files, settings. It knows the cluster only through the client. */

export type { ClusterConnection, ConsoleOptions } from './model/connection.ts';
export { mountConsole } from './mount-console.ts';
