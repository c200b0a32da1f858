/**
 * Client side of the API: the transports (fetch, message port), retries, list and watch, the typed client with its caches, work queues, events
 * and leader election, and clients of the host's own routes.
 */
export { AbortGroup } from './abort-group.ts';
export * from './api/index.ts';
export { type AuditLog, auditPath, createAuditLog } from './audit-log.ts';
export { createBurstHandler } from './burst-handler.ts';
export * from './cache/index.ts';
export { clusterApi, clusterPath, clustersPath, freshClusterId, mainClusterId } from './cluster-path.ts';
export { changeClusterTime, followTime, timePath } from './cluster-time.ts';
export { type Clusters, createClusters } from './clusters.ts';
export { createHttpHandler, type HttpHandlerOptions } from './http-handler.ts';
export * from './leaderelection/index.ts';
export { ListError, listAndWatch, type WatchEvent } from './list-and-watch.ts';
export { createPortHandler, type PortHandler } from './port-handler.ts';
export { type ClientRate, clientRateOr, withRateLimit } from './rate-limit.ts';
export { readLines, readText } from './read-body.ts';
export * from './record/index.ts';
export { isRead, isStreaming, markerHeader, userAgentHeader } from './request-target.ts';
export {
  type NodeRefusal,
  type NodeScore,
  type SchedulingExplanation,
  type SchedulingMessage,
  schedulingChannelName,
} from './scheduling-explanation.ts';
export { servePort } from './serve-port.ts';
export { authenticatedUser, parseServerTiming } from './server-timing.ts';
export { SwitchableHandler } from './switchable-handler.ts';
export { TransportError } from './transport-error.ts';
export type { TransportStatus } from './transport-status.ts';
export { withRetries } from './with-retries.ts';
export * from './workqueue/index.ts';
