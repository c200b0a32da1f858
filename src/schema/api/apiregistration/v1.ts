// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** A version of an API group, and the server that serves it. Its name must be VERSION.GROUP. */
export interface APIService {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: APIServiceSpec;
  readonly status: APIServiceStatus;
}

/** APIServiceCondition is one aspect of the state of an API service. */
export interface APIServiceCondition {
  /** Type of the condition: Available. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** Specification of an API service. */
export interface APIServiceSpec {
  /** Service of the aggregated API server. Not set for groups that this server serves itself. */
  readonly service?: ServiceReference;
  /** API group that the server provides, such as metrics.k8s.io. */
  readonly group?: string;
  /** Version of the group, such as v1beta1. */
  readonly version?: string;
  /** Whether the certificate of the service is not verified. Not allowed with caBundle. Default: false. */
  readonly insecureSkipTLSVerify?: boolean;
  /** CA certificates in PEM, in base64, by which the service's certificate is verified. Default: those of the server's system. */
  readonly caBundle?: string;
  /** Minimum priority of the group, from 1 to 20000. The highest one of its versions counts; clients prefer groups with higher priority. */
  readonly groupPriorityMinimum: number;
  /** Priority of the version in its group, from 1 to 1000. Higher ones come first, then by version, such as v2 before v1 before v1beta1. */
  readonly versionPriority: number;
}

/** Observed state of an API service. */
export interface APIServiceStatus {
  /** Conditions of the API service. The only one is Available. */
  readonly conditions?: readonly APIServiceCondition[];
}

/** ServiceReference identifies a service. */
export interface ServiceReference {
  /** Namespace of the service. */
  readonly namespace?: string;
  /** Name of the service through which the API server is reached. */
  readonly name?: string;
  /** Port of the service, 1 to 65535. Default: 443. */
  readonly port?: number;
}
