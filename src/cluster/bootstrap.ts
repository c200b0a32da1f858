import type { ApiHandler, Product } from '../meta/index.ts';
import type { ObjectStore } from '../registry/index.ts';
import type { Catalog } from '../schema/index.ts';
import type { BootstrapObject, BootstrapStatus } from './bootstrap-objects.ts';
import { createLoopbackRequest } from './loopback-request.ts';

export interface BootstrapContext {
  readonly catalog: Catalog;
  readonly product: Product;
  readonly store: ObjectStore;
}

/** Creates a bootstrap object unless it exists. */
export type WriteBootstrapObject = (own: BootstrapObject) => Promise<void>;

export function createBootstrapObjectWriter(
  handle: ApiHandler,
  token: string,
  { catalog, product, store }: BootstrapContext,
  now: () => string,
): WriteBootstrapObject {
  return async ({ collection, object, status }) => {
    // Resources that are not served (--runtime-config) need no objects.
    const resource = catalog.resourceOfKind(String(object['apiVersion']), String(object['kind']));
    if (!resource) return;
    const { name, namespace = '' } = object['metadata'] as { readonly name: string; readonly namespace?: string };
    const existing = await store.find({ resource, namespace, name });
    // A server that was killed between the two writes left the object without its status.
    if (existing && (!status || existing.text.includes('"conditions"'))) return;
    if (!existing) await create(collection, name, object);
    if (status) await applyStatus(`${collection}/${name}/status`, object, status);
  };

  async function create(collection: string, name: string, object: BootstrapObject['object']): Promise<void> {
    const response = await handle(createLoopbackRequest({ method: 'POST', target: collection, object }, token, product));
    // Another server on the same store may have created the object, or allocated its address, which is checked before its name.
    if (response.status === 201 || response.status === 409) return;
    const existing = await handle(createLoopbackRequest({ method: 'GET', target: `${collection}/${name}` }, token, product));
    if (existing.status === 200) return;
    throw new Error(`cannot create one of ${collection}: ${response.status} ${String(response.body)}`);
  }

  async function applyStatus(path: string, object: BootstrapObject['object'], { manager, conditions }: BootstrapStatus): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const lastTransitionTime = now();
    const status = { conditions: conditions.map((condition) => ({ ...condition, lastTransitionTime })) };
    const target = `${path}?fieldManager=${manager}&force=true`;
    const response = await handle(
      createLoopbackRequest({ method: 'APPLY', target, object: { apiVersion, kind, metadata, status } }, token, product),
    );
    if (response.status !== 200) throw new Error(`cannot update the status of ${path}: ${response.status} ${String(response.body)}`);
  }
}
