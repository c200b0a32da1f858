/** Rules of roles, as the authorizer reads them (part 2.11). */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

export interface RoleSubject {
  readonly kind: string;
  readonly name: string;
  /** For service accounts; empty: the namespace of the binding. */
  readonly namespace: string;
}

export interface RoleBinding {
  /** Empty for ClusterRoleBindings. */
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleRef;
  readonly subjects: readonly RoleSubject[];
}

/** Roles and bindings for the authorizer; `cluster` syncs them with the store. */
export interface RoleSource {
  /** A role's rules (empty namespace: ClusterRole); undefined when the role does not exist. */
  rulesOf(namespace: string, name: string): readonly PolicyRule[] | undefined;
  /** The role's rules that match a verb. */
  rulesForVerb(verb: string, namespace: string, name: string): readonly PolicyRule[];
  /** All roles of a namespace (empty: ClusterRoles) with their rules. */
  rolesIn(namespace: string): Iterable<readonly [name: string, rules: readonly PolicyRule[]]>;
  /** Bindings of a namespace (empty: ClusterRoleBindings) for the user or one of its groups. */
  bindingsFor(user: { readonly username: string; readonly groups: readonly string[] }, namespace: string): readonly RoleBinding[];
}
