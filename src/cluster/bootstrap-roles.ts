import { type DefaultObject, reconcileDefaultObject } from '../authz/index.ts';
import type { Env } from '../env/index.ts';
import type { ApiResponse, JsonObject, Product } from '../meta/index.ts';
import type { ObjectRef, ObjectStore } from '../registry/index.ts';
import { type Catalog, formatGroupVersion } from '../schema/index.ts';
import type { Kinds } from '../server/index.ts';
import type { LoopbackRequest } from './loopback-request.ts';
import { createSystemObjectWriter, type SystemObject, type WriteSystemObject } from './system-objects.ts';
import { rbacResource } from './watch-roles.ts';

export interface RoleBootstrapContext {
  readonly env: Env;
  readonly product: Product;
  readonly catalog: Catalog;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly defaults: readonly DefaultObject[];
}

/** Sends a request through the loopback client. */
type SendLoopbackRequest = (request: LoopbackRequest) => Promise<ApiResponse>;

/**
 * Creates the default roles and bindings, and reconciles existing ones (part 2.11). The start of a new cluster waits for these 130
 * objects: they are known to be valid, so they are written to the store directly and concurrently. Existing objects that differ from
 * their defaults are rare and are updated by requests. Cf. rbac/bootstrap-roles post-start hook.
 */
export async function bootstrapRoles(parts: RoleBootstrapContext, send: SendLoopbackRequest): Promise<void> {
  const write = createSystemObjectWriter(parts);
  await Promise.all(parts.defaults.map((one) => reconcileObject(parts, one, write, send)));
}

async function reconcileObject(
  parts: RoleBootstrapContext,
  expected: DefaultObject,
  write: WriteSystemObject,
  send: SendLoopbackRequest,
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
  const request: LoopbackRequest =
    result.action === 'update' ? { method: 'PUT', target, object: result.object } : { method: 'DELETE', target };
  const { status, body } = await send(request);
  if (status !== 200) throw new Error(`cannot reconcile ${target}: ${status} ${String(body)}`);
  if (result.action === 'recreate') await write(ref, own);
}
