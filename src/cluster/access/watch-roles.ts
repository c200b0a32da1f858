import { type PolicyRule, type RoleBinding, RoleIndex, readBinding, readRules } from '../../authz/index.ts';
import type { Log } from '../../env/index.ts';
import type { ApiObject, Product } from '../../meta/index.ts';
import { keyPrefix, type ObjectStore, watchObjects } from '../../registry/index.ts';
import { type Catalog, type Resource, requireResource } from '../../schema/index.ts';

/** Watches roles and bindings for the RBAC authorizer; a write takes effect with the next request. */
export async function watchRoles(store: ObjectStore, catalog: Catalog, product: Product, log: Log): Promise<RoleIndex> {
  const index = new RoleIndex();
  const watchResource = async (name: string, change: (namespace: string, objectName: string, object: ApiObject | undefined) => void) => {
    const resource = rbacResource(catalog, product, name);
    const prefix = keyPrefix(resource);
    await watchObjects(
      store,
      resource,
      (key, object) => {
        const [namespace, objectName] = namespacedNameOf(key.slice(prefix.length), resource);
        change(namespace, objectName, object);
      },
      log,
    );
  };
  const rulesOf = (role: ApiObject | undefined): readonly PolicyRule[] | undefined => role && readRules(role);
  const bindingOf = (namespace: string, name: string, binding: ApiObject | undefined): RoleBinding | undefined =>
    binding && readBinding(namespace, name, binding);
  await Promise.all([
    ...['clusterroles', 'roles'].map((name) =>
      watchResource(name, (namespace, role, object) => index.updateRole(namespace, role, rulesOf(object))),
    ),
    ...['clusterrolebindings', 'rolebindings'].map((name) =>
      watchResource(name, (namespace, binding, object) => index.updateBinding(namespace, binding, bindingOf(namespace, binding, object))),
    ),
  ]);
  return index;
}

/** A resource of rbac.authorization.k8s.io/v1. */
export function rbacResource(catalog: Catalog, product: Product, name: string): Resource {
  return requireResource(catalog, product.rename('rbac.authorization.k8s.io/v1'), name);
}

/** Splits the key after its prefix: `ns/name`, or `name`. */
function namespacedNameOf(rest: string, { namespaced }: Resource): readonly [namespace: string, name: string] {
  const cut = namespaced ? rest.indexOf('/') : -1;
  return [rest.slice(0, Math.max(cut, 0)), rest.slice(cut + 1)];
}
