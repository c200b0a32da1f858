// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { JsonObject } from '../../../meta/index.ts';
import type * as authenticationv1 from '../authentication/v1.ts';
import type * as metav1 from '../meta/v1.ts';

export interface Event {
  readonly kind: string;
  readonly apiVersion: string;
  readonly level: string;
  readonly auditID: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: authenticationv1.UserInfo;
  readonly impersonatedUser?: authenticationv1.UserInfo;
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: ObjectReference;
  readonly responseStatus?: metav1.Status;
  readonly requestObject?: JsonObject;
  readonly responseObject?: JsonObject;
  readonly requestReceivedTimestamp: string | null;
  readonly stageTimestamp: string | null;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** EventList is a list of Event objects. */
export interface EventList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ListMeta;
  /** Items is the list of objects. */
  readonly items: readonly Event[] | null;
}

export interface GroupResources {
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface ObjectReference {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  /** APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources */
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

export interface Policy {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly rules: readonly PolicyRule[] | null;
  readonly omitStages?: readonly string[];
  readonly omitManagedFields?: boolean;
}

/** PolicyList is a list of Policy objects. */
export interface PolicyList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ListMeta;
  /** Items is the list of objects. */
  readonly items: readonly Policy[] | null;
}

export interface PolicyRule {
  readonly level: string;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly GroupResources[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly string[];
  readonly omitManagedFields?: boolean;
}
