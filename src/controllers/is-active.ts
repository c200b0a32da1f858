import { type ApiObject, isJsonObject } from '../meta/index.ts';

/** Whether a namespace is not terminating. */
export function isActive(namespace: ApiObject): boolean {
  const { status } = namespace as { readonly status?: unknown };
  return namespace.metadata.deletionTimestamp === undefined && !(isJsonObject(status) && status['phase'] === 'Terminating');
}
