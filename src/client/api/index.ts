/** The typed client of the API. */
export { type ApiCall, ApiClient, type ApiClientOptions, type TaggedDocument } from './api-client.ts';
export { ApiError, hasStatus } from './api-error.ts';
export {
  type KubeObject,
  keyOf,
  type ListOptions,
  type ObjectKey,
  type PartialObject,
  pageSize,
  ResourceClient,
  type WriteOptions,
} from './resource-client.ts';
