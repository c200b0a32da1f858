// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** FieldSelectorAttributes is a field selector of a request. Only one field can be set. */
export interface FieldSelectorAttributes {
  /** The selector as it is in URLs. The server parses it; a webhook does not get it. */
  readonly rawSelector?: string;
  /** The parsed requirements. All must match; unknown operators make the selector wider. */
  readonly requirements?: readonly metav1.FieldSelectorRequirement[];
}

/** LabelSelectorAttributes is a label selector of a request. Only one field can be set. */
export interface LabelSelectorAttributes {
  /** The selector as it is in URLs. The server parses it; a webhook does not get it. */
  readonly rawSelector?: string;
  /** The parsed requirements. All must match; unknown operators make the selector wider. */
  readonly requirements?: readonly metav1.LabelSelectorRequirement[];
}

/** Checks whether a user is allowed to do something in a namespace. Not stored. */
export interface LocalSubjectAccessReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: SubjectAccessReviewSpec;
  readonly status: SubjectAccessReviewStatus;
}

/** NonResourceAttributes is a request for a path that is no resource. */
export interface NonResourceAttributes {
  /** Path of the request, such as /healthz. */
  readonly path?: string;
  /** Verb of the request: the HTTP method in lowercase. */
  readonly verb?: string;
}

/** NonResourceRule is a permission on paths that are no resources. */
export interface NonResourceRule {
  /** Allowed verbs; * for all. */
  readonly verbs: readonly string[] | null;
  /** Paths; * at the end stands for anything. */
  readonly nonResourceURLs?: readonly string[];
}

/** ResourceAttributes is a request for a resource. */
export interface ResourceAttributes {
  /** Namespace of the request. Empty for cluster-scoped resources and for requests about all namespaces. */
  readonly namespace?: string;
  /** Verb of the request, such as get, list or create; * for all. */
  readonly verb?: string;
  /** API group of the resource; empty for the core group, * for all. */
  readonly group?: string;
  /** Version of the resource; * for all. */
  readonly version?: string;
  /** The resource, such as pods; * for all. */
  readonly resource?: string;
  /** Subresource, such as log. Empty for none. */
  readonly subresource?: string;
  /** Name of the object. Empty for all, and for list and create requests. */
  readonly name?: string;
  /** Field selector of a list, watch or deletecollection request. */
  readonly fieldSelector?: FieldSelectorAttributes;
  /** Label selector of a list, watch or deletecollection request. */
  readonly labelSelector?: LabelSelectorAttributes;
}

/** ResourceRule is a permission on resources. */
export interface ResourceRule {
  /** Allowed verbs; * for all. */
  readonly verbs: readonly string[] | null;
  /** Groups of the resources; * for all. */
  readonly apiGroups?: readonly string[];
  /** Resources, and subresources as pods/log; * for all. */
  readonly resources?: readonly string[];
  /** Names of the objects. Empty: all. */
  readonly resourceNames?: readonly string[];
}

/** Checks whether the user of the request is allowed to do something. Not stored. */
export interface SelfSubjectAccessReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: SelfSubjectAccessReviewSpec;
  readonly status: SubjectAccessReviewStatus;
}

/** A question about the permission of the user of the request. Exactly one field must be set. */
export interface SelfSubjectAccessReviewSpec {
  /** Request for a resource, such as the creation of pods. Either this or nonResourceAttributes is required. */
  readonly resourceAttributes?: ResourceAttributes;
  /** Request for another path. */
  readonly nonResourceAttributes?: NonResourceAttributes;
}

/** Lists what the user of the request may do in a namespace. Not stored. For decisions use SelfSubjectAccessReview. */
export interface SelfSubjectRulesReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: SelfSubjectRulesReviewSpec;
  readonly status: SubjectRulesReviewStatus;
}

/** Specification of a rules review. */
export interface SelfSubjectRulesReviewSpec {
  /** Namespace of the rules. Required. */
  readonly namespace?: string;
}

/** Checks whether a user is allowed to do something. Not stored. */
export interface SubjectAccessReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: SubjectAccessReviewSpec;
  readonly status: SubjectAccessReviewStatus;
}

/** A question about the permission of a user. Exactly one of resourceAttributes and nonResourceAttributes must be set. */
export interface SubjectAccessReviewSpec {
  /** Request for a resource, such as the creation of pods. Either this or nonResourceAttributes is required. */
  readonly resourceAttributes?: ResourceAttributes;
  /** Request for another path. */
  readonly nonResourceAttributes?: NonResourceAttributes;
  /** Name of the user. Required when there are no groups. */
  readonly user?: string;
  /** Groups of the user whose access is checked. A group alone, without a user, is possible. */
  readonly groups?: readonly string[];
  /** Further attributes of the user. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /** UID of the user, for authorizers that need it. */
  readonly uid?: string;
}

/** Answer to an access review. */
export interface SubjectAccessReviewStatus {
  /** Whether the request is allowed. */
  readonly allowed: boolean;
  /** Whether the request is refused, whatever other authorizers decide. False with allowed false: no authorizer allows it. */
  readonly denied?: boolean;
  /** Why the request is allowed or refused. */
  readonly reason?: string;
  /** Error of the check, if any. The answer may still be valid. */
  readonly evaluationError?: string;
}

/** Result of a rules review. */
export interface SubjectRulesReviewStatus {
  /** Permissions on resources. The order has no meaning. */
  readonly resourceRules: readonly ResourceRule[] | null;
  /** Permissions on other paths. The order has no meaning. */
  readonly nonResourceRules: readonly NonResourceRule[] | null;
  /** Whether rules are missing, because an authorizer cannot list them. */
  readonly incomplete: boolean;
  /** Error of an authorizer, if any. The rules are then incomplete. */
  readonly evaluationError?: string;
}
