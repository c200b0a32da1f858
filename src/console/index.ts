/** The console in Lit: frame, terminal, requests, files, settings. Reaches the cluster only through the client. */

export type { FromPortFrame, PortRequest, PortResponse, ToPortFrame } from './explore/containers/port-messages.ts';
export type { ClusterConnection, ConsoleOptions, LessonCluster } from './model/connection.ts';
export { mountConsole } from './mount-console.ts';
