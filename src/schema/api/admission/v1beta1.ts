// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { JsonObject } from '../../../meta/index.ts';
import type * as authenticationv1 from '../authentication/v1.ts';
import type * as metav1 from '../meta/v1.ts';

export interface AdmissionRequest {
  readonly uid: string;
  /** Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds */
  readonly kind: metav1.GroupVersionKind;
  readonly resource: metav1.GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind?: metav1.GroupVersionKind;
  readonly requestResource?: metav1.GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly userInfo: authenticationv1.UserInfo;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly dryRun?: boolean;
  readonly options: JsonObject | null;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  /** Observed state, written by the system. Changed by requests to the status subresource only. */
  readonly status?: metav1.Status;
  readonly patch?: string;
  readonly patchType?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

export interface AdmissionReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request?: AdmissionRequest;
  readonly response?: AdmissionResponse;
}
