import type { ApiObject } from '../../meta/index.ts';

/** Reads the stored objects that token validity depends on; supplied by `cluster`. */
export interface TokenObjects {
  serviceAccount(namespace: string, name: string): Promise<ApiObject | undefined>;
  secret(namespace: string, name: string): Promise<ApiObject | undefined>;
  pod(namespace: string, name: string): Promise<ApiObject | undefined>;
  node(name: string): Promise<ApiObject | undefined>;
}
