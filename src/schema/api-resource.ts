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
