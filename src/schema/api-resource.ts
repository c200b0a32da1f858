/** A resource of the API and the type of its objects, with the names of Kubernetes. */
export interface ApiResource<T> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural in paths: `pods`. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** Never set: it connects the constant with the type of the objects. */
  readonly object?: T;
}

/** A resource with objects in namespaces. The plural is by default the kind in lower case with an `s`. */
export function namespacedResource<T>(groupVersion: string, kind: string, resource?: string): ApiResource<T> {
  return apiResource(groupVersion, kind, resource, true);
}

/** A resource with objects outside namespaces. */
export function clusterResource<T>(groupVersion: string, kind: string, resource?: string): ApiResource<T> {
  return apiResource(groupVersion, kind, resource, false);
}

function apiResource<T>(groupVersion: string, kind: string, resource = `${kind.toLowerCase()}s`, namespaced: boolean): ApiResource<T> {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  return { group, version, kind, resource, namespaced };
}
