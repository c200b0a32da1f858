import { type DefaultObject, reconciled } from '../authz/index.ts';
import type { Env } from '../env/index.ts';
import { type ApiObject, type ApiResponse, formatTime, type ObjectMeta, type Product, StatusError, withMetadata } from '../meta/index.ts';
import type { ObjectRef, ObjectStore } from '../registry/index.ts';
import { type Catalog, groupVersionOf } from '../schema/index.ts';
import type { Kinds } from '../server/index.ts';
import { rbacResource } from './follow-roles.ts';
import type { OwnRequest } from './own-request.ts';

export interface RoleParts {
  readonly env: Env;
  readonly product: Product;
  readonly catalog: Catalog;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly defaults: readonly DefaultObject[];
}

/** Asks something of the server itself. */
type Send = (request: OwnRequest) => Promise<ApiResponse>;

/**
 * Makes the default roles and bindings, and gives back to those that are there what they lack (part 2.11). There are 130 of them and
 * a new cluster waits for them: they are known to be valid, so they are written side by side and as they are; what differs from its
 * default is rare and takes the way of a request.
 */
export async function bootstrapRoles(parts: RoleParts, send: Send): Promise<void> {
  const ownersOf = sharedOwners(parts);
  await Promise.all(parts.defaults.map((one) => ensure(parts, one, ownersOf, send)));
}

async function ensure(parts: RoleParts, expected: DefaultObject, ownersOf: OwnersOf, send: Send): Promise<void> {
  const { store, catalog, product } = parts;
  const { namespace, name } = expected;
  const resource = rbacResource(catalog, product, expected.resource);
  const ref: ObjectRef = { resource, namespace, name };
  const there = await store.find(ref);
  if (!there) return create(parts, ref, expected, ownersOf);
  const result = reconciled(there.object, expected.object, product);
  if (result.action === 'keep') return;
  const collection = `/apis/${groupVersionOf(resource)}/${namespace === '' ? '' : `namespaces/${namespace}/`}${resource.name}`;
  const target = `${collection}/${encodeURIComponent(name)}`;
  const request: OwnRequest = result.action === 'update' ? { method: 'PUT', target, object: result.object } : { method: 'DELETE', target };
  const { status, body } = await send(request);
  if (status !== 200) throw new Error(`cannot reconcile ${target}: ${status} ${String(body)}`);
  if (result.action === 'recreate') await create(parts, ref, expected, ownersOf);
}

async function create({ env, store }: RoleParts, ref: ObjectRef, { object }: DefaultObject, ownersOf: OwnersOf): Promise<void> {
  const whole = { kind: ref.resource.kind, apiVersion: groupVersionOf(ref.resource), ...object } as unknown as ApiObject;
  const given = { uid: env.random.uuid(), creationTimestamp: formatTime(env.clock.nowMs()), managedFields: ownersOf(ref, whole) };
  try {
    await store.create(ref, withMetadata(whole, given), undefined);
  } catch (error) {
    // Another server on the same store may have been faster.
    if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
  }
}

type OwnersOf = (ref: ObjectRef, object: ApiObject) => ObjectMeta['managedFields'];

/** Who owns which fields depends on which fields there are: of 130 objects a handful differ in that. */
function sharedOwners({ env, kinds, product }: RoleParts): OwnersOf {
  const known = new Map<string, ObjectMeta['managedFields']>();
  const by = { manager: product.rename('kube-apiserver'), now: formatTime(env.clock.nowMs()) };
  return ({ resource }, object) => {
    const key = [resource.name, ...Object.keys(object), ...Object.keys(object.metadata.labels ?? {})].join(' ');
    if (!known.has(key)) known.set(key, kinds.of(resource).ownership('').created(object, by).metadata.managedFields);
    return known.get(key);
  };
}
