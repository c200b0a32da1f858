import { type ApiClient, hasStatus } from '../../client/index.ts';
import { type JsonObject, type Product, recordAt } from '../../meta/index.ts';
import type { ObjectStore } from '../../registry/index.ts';
import type { Catalog } from '../../schema/index.ts';
import type { BootstrapObject, BootstrapStatus } from './bootstrap-objects.ts';

export interface BootstrapContext {
  readonly catalog: Catalog;
  readonly product: Product;
  readonly store: ObjectStore;
}

/** Creates a bootstrap object unless it exists. */
export type WriteBootstrapObject = (own: BootstrapObject) => Promise<void>;

export function createBootstrapObjectWriter(
  client: ApiClient,
  { catalog }: Pick<BootstrapContext, 'catalog'>,
  now: () => string,
): WriteBootstrapObject {
  return async ({ collection, object, status }) => {
    // Resources that are not served (--runtime-config) need no objects.
    if (!catalog.resourceOfKind(String(object['apiVersion']), String(object['kind']))) return;
    const { name } = object['metadata'] as { readonly name: string };
    const existing = await find(`${collection}/${name}`);
    // A server that was killed between the two writes left the object without its status.
    if (existing && (!status || recordAt(existing, 'status')['conditions'] !== undefined)) return;
    if (!existing) await create(collection, name, object);
    if (status) await applyStatus(`${collection}/${name}/status`, object, status);
  };

  /** By a request, as upstream: audit and metrics show it. */
  async function find(path: string): Promise<JsonObject | undefined> {
    try {
      return await client.send('GET', path);
    } catch (error) {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    }
  }

  async function create(collection: string, name: string, object: BootstrapObject['object']): Promise<void> {
    try {
      await client.send('POST', collection, { body: object });
    } catch (error) {
      // Another server on the same store may have created the object, or allocated its address, which is checked before its name.
      if (hasStatus(error, 409)) return;
      await client.send('GET', `${collection}/${name}`).catch(() => {
        throw new Error(`cannot create one of ${collection}: ${String(error)}`, { cause: error });
      });
    }
  }

  async function applyStatus(path: string, object: BootstrapObject['object'], { manager, conditions }: BootstrapStatus): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const lastTransitionTime = now();
    const status = { conditions: conditions.map((condition) => ({ ...condition, lastTransitionTime })) };
    const body = { apiVersion, kind, metadata, status };
    await client.send('PATCH', `${path}?fieldManager=${manager}&force=true`, { body, contentType: 'application/apply-patch+yaml' });
  }
}
