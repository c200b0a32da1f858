import { notFound, type Product, type StatusError } from '../../meta/index.ts';
import type { PolicyRule, RoleBinding, RoleSource } from './policy.ts';

/** The rules that a binding gives; undefined when its role is not there. */
export function grantedRules(source: RoleSource, { namespace, role }: RoleBinding): readonly PolicyRule[] | undefined {
  return source.rulesOf(role.kind === 'Role' ? namespace : '', role.name);
}

/** What a binding to nothing says of itself: `role.rbac.… "ghost" not found`. */
export function missingRole({ role }: RoleBinding, product: Product): StatusError {
  return notFound({ group: product.rename('rbac.authorization.k8s.io'), name: role.kind.toLowerCase() }, role.name);
}

/** All bindings that concern somebody in a namespace: the cluster's, then the namespace's own. */
export function bindingsIn(
  source: RoleSource,
  user: { readonly username: string; readonly groups: readonly string[] },
  namespace: string,
): readonly RoleBinding[] {
  const ofCluster = source.bindingsFor(user, '');
  return namespace === '' ? ofCluster : [...ofCluster, ...source.bindingsFor(user, namespace)];
}
