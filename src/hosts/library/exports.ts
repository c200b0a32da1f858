/** The exports of the library, the same on every platform: the types of a cluster, its typed client, and the built-in kinds. */
export {
  type ApiCall,
  type ApiClient,
  type ApiClientOptions,
  ApiError,
  hasStatus,
  type KubeObject,
  keyOf,
  type ListOptions,
  type ObjectKey,
  type PartialObject,
  type ResourceClient,
  type WriteOptions,
} from '../../client/api/index.ts';
export { type AuditEvent, AuditPolicyError, SchedulerConfigError, TokenFileError } from '../../cluster/index.ts';
export type { ContainerImage, ContainerProcess, ContainerProgram } from '../../containers/index.ts';
export type { ApiHandler, ApiRequest, ApiResponse, Json, JsonObject, ProductName, RequestHeaders, ResponseBody } from '../../meta/index.ts';
export * from '../../schema/api/index.ts';
export type { ApiServerHandler } from '../service-handlers.ts';
export type { WebhookHandler } from '../webhook-handlers.ts';
export type { Cluster, ClusterAudit, ClusterSettings } from './library-cluster.ts';
