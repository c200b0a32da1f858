/** The cluster as a client sees it: one function from request to answer, whichever way it takes, and what is built on that. */
export { type AuditLog, auditPath, createAuditLog } from './audit-log.ts';
export { busyHandler } from './busy-handler.ts';
export { clusterApi, clusterPath, clustersPath, freshClusterId, ownClusterId } from './cluster-path.ts';
export { type Clusters, createClusters } from './clusters.ts';
export { createHttpHandler, type HttpHandlerOptions } from './http-handler.ts';
export { type ListAndWatchOptions, type ListAndWatchSink, ListError, listAndWatch, type WatchEvent } from './list-and-watch.ts';
export { createPortHandler, type PortHandler } from './port-handler.ts';
export type { Port } from './port-messages.ts';
export { readLines, readText } from './read-body.ts';
export { servePort } from './serve-port.ts';
export { SwitchableHandler } from './switchable-handler.ts';
export { isRead, isStreaming, markerHeader, userAgentHeader } from './target.ts';
export { stagesOf, userOf } from './trace.ts';
export { TransportError, type TransportErrorCode } from './transport-error.ts';
export type { TransportStatus } from './transport-status.ts';
export { type RetryOptions, withRetries } from './with-retries.ts';
