/** Roles and bindings as the authorizer reads them (part 2.11). */
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
  /** Of a service account; empty: that of the binding. */
  readonly namespace: string;
}

export interface RoleBinding {
  /** Empty: it holds in the whole cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleRef;
  readonly subjects: readonly RoleSubject[];
}

/** What the authorizer needs to know; `cluster` keeps it in step with the store. */
export interface RoleSource {
  /** A role's rules (namespace empty: a cluster role's); undefined when there is no such role. */
  rulesOf(namespace: string, name: string): readonly PolicyRule[] | undefined;
  /** Those of its rules that are about a verb. */
  rulesAbout(verb: string, namespace: string, name: string): readonly PolicyRule[];
  /** All roles of exactly this namespace (empty: cluster roles) with their rules. */
  rolesIn(namespace: string): Iterable<readonly [name: string, rules: readonly PolicyRule[]]>;
  /** Bindings of exactly this namespace (empty: of the cluster) that name the user or one of its groups. */
  bindingsFor(user: { readonly username: string; readonly groups: readonly string[] }, namespace: string): readonly RoleBinding[];
}
