import type { ApiObject } from '../meta/index.ts';

/** Reads objects of one kind as they are stored now; supplied by `cluster`. The namespace of cluster-scoped ones is empty. */
export interface ObjectSource {
  find(namespace: string, name: string): Promise<ApiObject | undefined>;
  /** In order of name. */
  list(namespace: string): Promise<readonly ApiObject[]>;
}
