import { type DefaultObject, reconciled } from '../authz/index.ts';
import type { Env } from '../env/index.ts';
import { type ApiObject, type ApiResponse, type FeatureGates, formatTime, type Product } from '../meta/index.ts';
import { createObject, type ObjectRef, type ObjectStore, type WriteContext } from '../registry/index.ts';
import { type Catalog, groupVersionOf } from '../schema/index.ts';
import type { Kinds } from '../server/index.ts';
import { rbacResource } from './follow-roles.ts';
import type { OwnRequest } from './own-request.ts';

export interface RoleParts {
  readonly env: Env;
  readonly product: Product;
  readonly gates: FeatureGates;
  readonly catalog: Catalog;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly defaults: readonly DefaultObject[];
}

/** Asks something of the server itself. */
type Send = (request: OwnRequest) => Promise<ApiResponse>;

/**
 * Makes the default roles and bindings, and gives back to those that are there what they lack (part 2.11). There are 130 of them and
 * a new cluster waits for them, so they are made side by side and without the way of a request; what differs is rare and takes it.
 */
export async function bootstrapRoles(parts: RoleParts, send: Send): Promise<void> {
  await Promise.all(parts.defaults.map((one) => ensure(parts, one, send)));
}

async function ensure(parts: RoleParts, expected: DefaultObject, send: Send): Promise<void> {
  const { store, catalog, product } = parts;
  const { namespace, name } = expected;
  const resource = rbacResource(catalog, product, expected.resource);
  const ref: ObjectRef = { resource, namespace, name };
  const there = await store.find(ref);
  if (!there) return create(parts, ref, expected);
  const result = reconciled(there.object, expected.object, product);
  if (result.action === 'keep') return;
  const collection = `/apis/${groupVersionOf(resource)}/${namespace === '' ? '' : `namespaces/${namespace}/`}${resource.name}`;
  const target = `${collection}/${encodeURIComponent(name)}`;
  const request: OwnRequest = result.action === 'update' ? { method: 'PUT', target, object: result.object } : { method: 'DELETE', target };
  const { status, body } = await send(request);
  if (status !== 200) throw new Error(`cannot reconcile ${target}: ${status} ${String(body)}`);
  if (result.action === 'recreate') await create(parts, ref, expected);
}

async function create({ env, product, gates, kinds, store }: RoleParts, ref: ObjectRef, { object }: DefaultObject): Promise<void> {
  const kind = kinds.of(ref.resource);
  const now = formatTime(env.clock.nowMs());
  const whole = { kind: ref.resource.kind, apiVersion: groupVersionOf(ref.resource), ...object } as unknown as ApiObject;
  const owned = kind.ownership('').created(whole, { manager: product.rename('kube-apiserver'), now });
  const context: WriteContext = {
    env,
    product,
    gates,
    random: env.random,
    now,
    requester: { username: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
    subresource: '',
    dryRun: false,
    requestId: undefined,
    warn: () => {},
  };
  const { strategy, validateMetadata } = kind;
  await createObject(store, { ref, object: kind.toStorage(owned), strategy, validateMetadata, admit: () => Promise.resolve() }, context);
}
