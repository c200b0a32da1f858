// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** AggregationRule selects the cluster roles of an aggregated role. */
export interface AggregationRule {
  /** Selectors of cluster roles. A role is included when any of them matches. */
  readonly clusterRoleSelectors?: readonly metav1.LabelSelector[];
}

/** A set of permissions in the whole cluster, or to be bound in a namespace. */
export interface ClusterRole {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Permissions of the role. With an aggregationRule, a controller sets them. */
  readonly rules: readonly PolicyRule[] | null;
  /** Selects cluster roles whose rules are combined in this role. The controller then writes rules, and other changes of them are lost. */
  readonly aggregationRule?: AggregationRule;
}

/** Grants a role to subjects in the whole cluster. */
export interface ClusterRoleBinding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Users, groups and service accounts. */
  readonly subjects?: readonly Subject[];
  /** The cluster role. Immutable. */
  readonly roleRef: RoleRef;
}

/** Verbs that are allowed on resources or paths. */
export interface PolicyRule {
  /** Allowed verbs, such as get, list, watch, create, update, patch and delete; * for all. */
  readonly verbs: readonly string[] | null;
  /** Groups of the resources; the empty one is the core group, * all groups. */
  readonly apiGroups?: readonly string[];
  /** Resources, and subresources as pods/log; * for all, *\/scale for a subresource of all. */
  readonly resources?: readonly string[];
  /** Restricts the rule to objects with these names. Such rules do not apply to create requests. Default: all names. */
  readonly resourceNames?: readonly string[];
  /** Paths of non-resource requests, such as /healthz or /metrics/*. Only in cluster roles. */
  readonly nonResourceURLs?: readonly string[];
}

/** A set of permissions in a namespace. */
export interface Role {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Permissions of the role in its namespace. */
  readonly rules: readonly PolicyRule[] | null;
}

/** Grants a role to subjects in a namespace. */
export interface RoleBinding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Users, groups and service accounts. */
  readonly subjects?: readonly Subject[];
  /** Role of the namespace, or cluster role, which is then granted in this namespace only. Immutable. */
  readonly roleRef: RoleRef;
}

/** RoleRef identifies a role. */
export interface RoleRef {
  /** API group of the role: rbac.authorization.k8s.io. */
  readonly apiGroup: string;
  /** Role for a role of the same namespace, or ClusterRole. */
  readonly kind: string;
  /** Name of the role whose permissions are granted. */
  readonly name: string;
}

/** Subject is a user, group or service account. */
export interface Subject {
  /** User, Group or ServiceAccount. */
  readonly kind: string;
  /** API group of the subject. Default: empty for service accounts, rbac.authorization.k8s.io for users and groups. */
  readonly apiGroup?: string;
  /** Name of the user, group or service account. */
  readonly name: string;
  /** Namespace of the service account. Not allowed for users and groups. */
  readonly namespace?: string;
}
