import { type DefaultObject, reconcileDefaultObject } from '../../authz/index.ts';
import type { ApiClient } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import type { JsonObject, Product } from '../../meta/index.ts';
import type { ObjectRef, ObjectStore } from '../../registry/index.ts';
import { type Catalog, formatGroupVersion } from '../../schema/index.ts';
import type { Kinds } from '../../server/index.ts';
import { rbacResource } from '../access/watch-roles.ts';
import { createSystemObjectWriter, type SystemObject, type WriteSystemObject } from './system-objects.ts';

export interface RoleBootstrapContext {
  readonly env: Env;
  readonly product: Product;
  readonly catalog: Catalog;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly defaults: readonly DefaultObject[];
}

/**
 * Creates the default roles and bindings, and reconciles existing ones (part 2.11). The start of a new cluster waits for these 130
 * objects: they are known to be valid, so they are written to the store directly and concurrently. Existing objects that differ from
 * their defaults are rare and are updated by requests. Cf. rbac/bootstrap-roles post-start hook.
 */
export async function bootstrapRoles(parts: RoleBootstrapContext, client: ApiClient): Promise<void> {
  const write = createSystemObjectWriter(parts);
  await Promise.all(parts.defaults.map((one) => reconcileObject(parts, one, write, client)));
}

async function reconcileObject(
  parts: RoleBootstrapContext,
  expected: DefaultObject,
  write: WriteSystemObject,
  client: ApiClient,
): Promise<void> {
  const { store, catalog, product } = parts;
  const { namespace, name } = expected;
  const resource = rbacResource(catalog, product, expected.resource);
  const ref: ObjectRef = { resource, namespace, name };
  const existing = await store.find(ref);
  const own: SystemObject = { object: expected.object as JsonObject, manager: product.rename('kube-apiserver') };
  if (!existing) return write(ref, own);
  const result = reconcileDefaultObject(existing.object, expected.object, product);
  if (result.action === 'keep') return;
  const collection = `/apis/${formatGroupVersion(resource)}/${namespace === '' ? '' : `namespaces/${namespace}/`}${resource.name}`;
  const target = `${collection}/${encodeURIComponent(name)}`;
  if (result.action === 'update') await client.send('PUT', target, { body: result.object });
  else await client.send('DELETE', target);
  if (result.action === 'recreate') await write(ref, own);
}
