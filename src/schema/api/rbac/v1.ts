// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface AggregationRule {
  readonly clusterRoleSelectors?: readonly metav1.LabelSelector[];
}

/** Rights in the whole cluster, or in any namespace. */
export interface ClusterRole {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** What may be done. */
  readonly rules: readonly PolicyRule[] | null;
  readonly aggregationRule?: AggregationRule;
}

/** Gives a role to subjects, in the whole cluster. */
export interface ClusterRoleBinding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Users, groups and service accounts. */
  readonly subjects?: readonly Subject[];
  /** The role. Cannot change. */
  readonly roleRef: RoleRef;
}

/** Verbs that may be used on resources or paths. */
export interface PolicyRule {
  /** What may be done; * is everything. */
  readonly verbs: readonly string[] | null;
  /** Groups of the resources; the empty one is the core group. */
  readonly apiGroups?: readonly string[];
  /** Resources, and subresources as pods/log. */
  readonly resources?: readonly string[];
  /** Only objects of these names. */
  readonly resourceNames?: readonly string[];
  /** Paths that are no resources. */
  readonly nonResourceURLs?: readonly string[];
}

/** Rights in a namespace. */
export interface Role {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** What may be done. */
  readonly rules: readonly PolicyRule[] | null;
}

/** Gives a role to subjects, in a namespace. */
export interface RoleBinding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Users, groups and service accounts. */
  readonly subjects?: readonly Subject[];
  /** The role. Cannot change. */
  readonly roleRef: RoleRef;
}

export interface RoleRef {
  readonly apiGroup: string;
  /** What kind of object this is. */
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  /** What kind of object this is. */
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}
