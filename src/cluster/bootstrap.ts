import type { ApiHandler, Product } from '../meta/index.ts';
import type { ObjectStore } from '../registry/index.ts';
import type { Catalog } from '../schema/index.ts';
import type { BootstrapObject, BootstrapStatus } from './bootstrap-objects.ts';
import { ownRequest } from './own-request.ts';

export interface BootstrapParts {
  readonly catalog: Catalog;
  readonly product: Product;
  readonly store: ObjectStore;
}

/** Creates a bootstrap object unless it exists. */
export type MakeOwn = (own: BootstrapObject) => Promise<void>;

export function ownObjectMaker(handle: ApiHandler, token: string, { catalog, product, store }: BootstrapParts, now: () => string): MakeOwn {
  return async ({ collection, object, status }) => {
    // Resources that are not served (--runtime-config) need no objects.
    const resource = catalog.resourceOfKind(String(object['apiVersion']), String(object['kind']));
    if (!resource) return;
    const { name, namespace = '' } = object['metadata'] as { readonly name: string; readonly namespace?: string };
    const there = await store.find({ resource, namespace, name });
    // A server that was killed between the two writes left the object without its status.
    if (there && (!status || there.text.includes('"conditions"'))) return;
    if (!there) await create(collection, name, object);
    if (status) await tellStatus(`${collection}/${name}/status`, object, status);
  };

  async function create(collection: string, name: string, object: BootstrapObject['object']): Promise<void> {
    const made = await handle(ownRequest({ method: 'POST', target: collection, object }, token, product));
    // Another server on the same store may have created the object, or allocated its address, which is checked before its name.
    if (made.status === 201 || made.status === 409) return;
    const there = await handle(ownRequest({ method: 'GET', target: `${collection}/${name}` }, token, product));
    if (there.status === 200) return;
    throw new Error(`cannot create one of ${collection}: ${made.status} ${String(made.body)}`);
  }

  async function tellStatus(path: string, object: BootstrapObject['object'], { manager, conditions }: BootstrapStatus): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const lastTransitionTime = now();
    const status = { conditions: conditions.map((condition) => ({ ...condition, lastTransitionTime })) };
    const target = `${path}?fieldManager=${manager}&force=true`;
    const told = await handle(ownRequest({ method: 'APPLY', target, object: { apiVersion, kind, metadata, status } }, token, product));
    if (told.status !== 200) throw new Error(`cannot tell the status of ${path}: ${told.status} ${String(told.body)}`);
  }
}
