import { notFound, type Product, type StatusError } from '../../meta/index.ts';
import type { PolicyRule, RoleBinding, RoleSource } from './policy.ts';

/** The rules that a binding grants; undefined when its role is missing. */
export function grantedRules(source: RoleSource, { namespace, role }: RoleBinding): readonly PolicyRule[] | undefined {
  return source.rulesOf(role.kind === 'Role' ? namespace : '', role.name);
}

/** The error of a binding to a missing role: `role.rbac.… "ghost" not found`. */
export function missingRoleError({ role }: RoleBinding, product: Product): StatusError {
  return notFound({ group: product.rename('rbac.authorization.k8s.io'), name: role.kind.toLowerCase() }, role.name);
}

/** All bindings of a user for a namespace: ClusterRoleBindings, then the namespace's RoleBindings. */
export function bindingsIn(
  source: RoleSource,
  user: { readonly username: string; readonly groups: readonly string[] },
  namespace: string,
): readonly RoleBinding[] {
  const ofCluster = source.bindingsFor(user, '');
  return namespace === '' ? ofCluster : [...ofCluster, ...source.bindingsFor(user, namespace)];
}
