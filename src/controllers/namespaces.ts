import { type ApiObject, isJsonObject } from '../meta/index.ts';

/** Whether there may be new objects in a namespace. */
export function isActive(namespace: ApiObject): boolean {
  const { status } = namespace as { readonly status?: unknown };
  return namespace.metadata.deletionTimestamp === undefined && !(isJsonObject(status) && status['phase'] === 'Terminating');
}
