import type { rbacv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

type Labels = Decoded<Readonly<Record<string, string>>>;

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

export interface Role {
  /** Empty for a ClusterRole. */
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly rules: readonly Rule[];
  /** The label selectors of an aggregated ClusterRole. */
  readonly selectors: readonly Labels[];
}

export interface RoleSubject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

export interface Binding {
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
  readonly roleKind: string;
  readonly roleName: string;
  readonly subjects: readonly RoleSubject[];
}

/** All roles and bindings. */
export interface Rbac {
  readonly roles: readonly Role[];
  readonly bindings: readonly Binding[];
}

export interface UserInfo {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for all namespaces and for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty for any name. */
  readonly name: string;
}

/** A binding, role and rule that allow a request. */
export interface Grant {
  readonly binding: Binding;
  readonly role: Role;
  readonly rule: Rule;
  /** The index of the rule in its role, from 1. */
  readonly at: number;
  /** The aggregated role that contributes the rule. */
  readonly from: Role | undefined;
}

/** The group that the server authorizes for everything, without RBAC. */
export const mastersGroup = 'system:masters';

export function readRole({ metadata, rules, aggregationRule }: Decoded<rbacv1.ClusterRole>): Role {
  const { name = '', namespace = '', labels = {} } = metadata ?? {};
  return {
    namespace,
    name,
    labels,
    rules: (rules ?? []).map(({ verbs, apiGroups = [], resources = [], resourceNames = [] }) => ({
      verbs: verbs ?? [],
      apiGroups,
      resources,
      resourceNames,
    })),
    selectors: (aggregationRule?.clusterRoleSelectors ?? []).map(({ matchLabels = {} }) => matchLabels),
  };
}

export function readBinding({ metadata, roleRef, subjects = [] }: Decoded<rbacv1.ClusterRoleBinding>): Binding {
  const { name = '', namespace = '' } = metadata ?? {};
  return {
    namespace,
    name,
    roleKind: roleRef?.kind ?? '',
    roleName: roleRef?.name ?? '',
    subjects: subjects.map((one) => ({ kind: one.kind ?? '', name: one.name ?? '', namespace: one.namespace ?? '' })),
  };
}

export function bindingText({ namespace, name }: Binding): string {
  return namespace === '' ? `ClusterRoleBinding ${name}` : `RoleBinding ${namespace}/${name}`;
}

/** Every grant for any subject, in the order of the bindings. */
export function findGrants({ roles, bindings }: Rbac, attributes: ResourceAttributes): readonly Grant[] {
  return bindings.flatMap((binding) => {
    if (binding.namespace !== '' && binding.namespace !== attributes.namespace) return [];
    const role = roleOf(roles, binding);
    if (role === undefined) return [];
    return role.rules.flatMap((rule, index) =>
      ruleAllows(rule, attributes) ? [{ binding, role, rule, at: index + 1, from: sourceOf(roles, role, rule) }] : [],
    );
  });
}

/** The grants of a user. */
export function findUserGrants(rbac: Rbac, user: UserInfo, attributes: ResourceAttributes): readonly Grant[] {
  return findGrants({ ...rbac, bindings: bindingsOfUser(rbac, user) }, attributes);
}

export function isAllowed(rbac: Rbac, user: UserInfo, attributes: ResourceAttributes): boolean {
  return user.groups.includes(mastersGroup) || findUserGrants(rbac, user, attributes).length > 0;
}

/** The resource names of rules that restrict a user's access by name; may be empty. */
export function allowedNames(rbac: Rbac, user: UserInfo, attributes: ResourceAttributes): readonly string[] {
  return bindingsOfUser(rbac, user).flatMap((binding) => {
    if (binding.namespace !== '' && binding.namespace !== attributes.namespace) return [];
    const rules = roleOf(rbac.roles, binding)?.rules ?? [];
    return rules.filter((rule) => ruleAllows({ ...rule, resourceNames: [] }, attributes)).flatMap(({ resourceNames }) => resourceNames);
  });
}

/** The bindings of a user or one of the user's groups. */
export function bindingsOfUser({ bindings }: Rbac, user: UserInfo): readonly Binding[] {
  return bindings.filter(({ subjects }) => subjects.some((subject) => appliesToUser(subject, user)));
}

export function appliesToUser({ kind, name, namespace }: RoleSubject, { user, groups }: UserInfo): boolean {
  if (kind === 'Group') return groups.includes(name);
  return user === (kind === 'ServiceAccount' ? `system:serviceaccount:${namespace}:${name}` : name);
}

export function ruleAllows(rule: Rule, { verb, group, resource, subresource, name }: ResourceAttributes): boolean {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const anyOf = subresource === '' ? '' : `*/${subresource}`;
  return (
    matches(rule.verbs, verb) &&
    matches(rule.apiGroups, group) &&
    (matches(rule.resources, full) || (anyOf !== '' && rule.resources.includes(anyOf))) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name))
  );
}

/** Adds `system:authenticated` or `system:unauthenticated`. */
export function addImplicitGroups({ user, groups }: UserInfo): UserInfo {
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user)?.[1];
  const own = account === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account}`];
  const known = user === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return { user, groups: [...new Set([...groups, ...own, known])] };
}

function matches(list: readonly string[], one: string): boolean {
  return list.includes('*') || list.includes(one);
}

/** The role of a binding, or undefined when it was deleted. */
export function roleOf(roles: readonly Role[], { roleKind, roleName, namespace }: Binding): Role | undefined {
  const within = roleKind === 'Role' ? namespace : '';
  return roles.find((role) => role.name === roleName && role.namespace === within);
}

/** The aggregated role that contributes the rule. */
function sourceOf(roles: readonly Role[], role: Role, rule: Rule): Role | undefined {
  if (role.selectors.length === 0) return undefined;
  const text = JSON.stringify(rule);
  return roles.find(
    (other) =>
      other !== role &&
      other.namespace === '' &&
      role.selectors.some((selector) => Object.entries(selector).every(([name, value]) => other.labels[name] === value)) &&
      other.rules.some((one) => JSON.stringify(one) === text),
  );
}
