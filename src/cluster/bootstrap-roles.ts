import { type DefaultObject, reconciled } from '../authz/index.ts';
import type { Env } from '../env/index.ts';
import type { ApiResponse, JsonObject, Product } from '../meta/index.ts';
import type { ObjectRef, ObjectStore } from '../registry/index.ts';
import { type Catalog, groupVersionOf } from '../schema/index.ts';
import type { Kinds } from '../server/index.ts';
import { rbacResource } from './follow-roles.ts';
import { type OwnObject, ownObjectWriter, type WriteOwn } from './own-objects.ts';
import type { OwnRequest } from './own-request.ts';

export interface RoleParts {
  readonly env: Env;
  readonly product: Product;
  readonly catalog: Catalog;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly defaults: readonly DefaultObject[];
}

/** Sends a request through the loopback client. */
type Send = (request: OwnRequest) => Promise<ApiResponse>;

/**
 * Creates the default roles and bindings, and reconciles existing ones (part 2.11). The start of a new cluster waits for these 130
 * objects: they are known to be valid, so they are written to the store directly and concurrently. Existing objects that differ from
 * their defaults are rare and are updated by requests. Cf. rbac/bootstrap-roles post-start hook.
 */
export async function bootstrapRoles(parts: RoleParts, send: Send): Promise<void> {
  const write = ownObjectWriter(parts);
  await Promise.all(parts.defaults.map((one) => ensure(parts, one, write, send)));
}

async function ensure(parts: RoleParts, expected: DefaultObject, write: WriteOwn, send: Send): Promise<void> {
  const { store, catalog, product } = parts;
  const { namespace, name } = expected;
  const resource = rbacResource(catalog, product, expected.resource);
  const ref: ObjectRef = { resource, namespace, name };
  const there = await store.find(ref);
  const own: OwnObject = { object: expected.object as JsonObject, manager: product.rename('kube-apiserver') };
  if (!there) return write(ref, own);
  const result = reconciled(there.object, expected.object, product);
  if (result.action === 'keep') return;
  const collection = `/apis/${groupVersionOf(resource)}/${namespace === '' ? '' : `namespaces/${namespace}/`}${resource.name}`;
  const target = `${collection}/${encodeURIComponent(name)}`;
  const request: OwnRequest = result.action === 'update' ? { method: 'PUT', target, object: result.object } : { method: 'DELETE', target };
  const { status, body } = await send(request);
  if (status !== 200) throw new Error(`cannot reconcile ${target}: ${status} ${String(body)}`);
  if (result.action === 'recreate') await write(ref, own);
}
