// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface AggregationRule {
  readonly clusterRoleSelectors?: readonly metav1.LabelSelector[];
}

/** A set of permissions in the whole cluster, or to be bound in a namespace. */
export interface ClusterRole {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Rules of the role. */
  readonly rules: readonly PolicyRule[] | null;
  readonly aggregationRule?: AggregationRule;
}

/** Grants a role to subjects in the whole cluster. */
export interface ClusterRoleBinding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Users, groups and service accounts. */
  readonly subjects?: readonly Subject[];
  /** The role. Immutable. */
  readonly roleRef: RoleRef;
}

/** Verbs that are allowed on resources or paths. */
export interface PolicyRule {
  /** Allowed verbs; * for all. */
  readonly verbs: readonly string[] | null;
  /** Groups of the resources; the empty one is the core group. */
  readonly apiGroups?: readonly string[];
  /** Resources, and subresources as pods/log. */
  readonly resources?: readonly string[];
  /** Restricts the rule to objects with these names. */
  readonly resourceNames?: readonly string[];
  /** Paths of non-resource requests. */
  readonly nonResourceURLs?: readonly string[];
}

/** A set of permissions in a namespace. */
export interface Role {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Rules of the role. */
  readonly rules: readonly PolicyRule[] | null;
}

/** Grants a role to subjects in a namespace. */
export interface RoleBinding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Users, groups and service accounts. */
  readonly subjects?: readonly Subject[];
  /** The role. Immutable. */
  readonly roleRef: RoleRef;
}

export interface RoleRef {
  readonly apiGroup: string;
  /** Kind is the type of the object. */
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  /** Kind is the type of the object. */
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}
