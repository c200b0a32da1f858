import type { ApiObject } from '../../meta/index.ts';

/** The objects that tokens of service accounts stand and fall with, as they are stored now; supplied by `cluster`. */
export interface TokenObjects {
  serviceAccount(namespace: string, name: string): Promise<ApiObject | undefined>;
  secret(namespace: string, name: string): Promise<ApiObject | undefined>;
  pod(namespace: string, name: string): Promise<ApiObject | undefined>;
  node(name: string): Promise<ApiObject | undefined>;
}
