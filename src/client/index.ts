/**
 * Client side of the API: the transports (fetch, message port), retries, list and watch, the typed client with its caches, work queues, events
 * and leader election, and clients of the host's own routes.
 */

export * from './api/index.ts';
export { type AuditLog, auditPath, createAuditLog } from './audit-log.ts';
export * from './cache/index.ts';
export { ListError, listAndWatch, type WatchEvent } from './cache/list-and-watch.ts';
export { clusterApi, clusterPath, clustersPath, freshClusterId, mainClusterId } from './cluster-path.ts';
export { changeClusterTime, followTime, timePath } from './cluster-time.ts';
export { type Clusters, createClusters } from './clusters.ts';
export * from './leaderelection/index.ts';
export * from './record/index.ts';
export {
  type NodeRefusal,
  type NodeScore,
  type SchedulingExplanation,
  type SchedulingMessage,
  schedulingChannelName,
} from './scheduling-explanation.ts';
export { AbortGroup } from './transport/abort-group.ts';
export { createBurstHandler } from './transport/burst-handler.ts';
export { createConnectionPort } from './transport/connection-port.ts';
export { createHttpHandler, type HttpHandlerOptions } from './transport/http-handler.ts';
export { createPortHandler, type PortHandler } from './transport/port-handler.ts';
export { type ClientRate, clientRateOr, withRateLimit } from './transport/rate-limit.ts';
export { readChunks, readLines, readText } from './transport/read-body.ts';
export { relayMessages } from './transport/relay-messages.ts';
export { isRead, isStreaming, markerHeader, userAgentHeader } from './transport/request-target.ts';
export { servePort } from './transport/serve-port.ts';
export { authenticatedUser, parseServerTiming } from './transport/server-timing.ts';
export { SwitchableHandler } from './transport/switchable-handler.ts';
export { TransportError } from './transport/transport-error.ts';
export type { TransportStatus } from './transport/transport-status.ts';
export { withRetries } from './transport/with-retries.ts';
export * from './workqueue/index.ts';
