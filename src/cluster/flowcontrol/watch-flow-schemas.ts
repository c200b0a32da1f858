import type { Log } from '../../env/index.ts';
import type { FlowController } from '../../flowcontrol/index.ts';
import type { Product } from '../../meta/index.ts';
import { keyPrefix, type ObjectStore, watchObjects } from '../../registry/index.ts';
import type { Catalog } from '../../schema/index.ts';

/** Configures flow control by the stored flow schemas and priority levels; a write takes effect with the next request. */
export async function watchFlowSchemas(
  flowControl: FlowController,
  store: ObjectStore,
  catalog: Catalog,
  product: Product,
  log: Log,
): Promise<void> {
  for (const resource of catalog.resourcesOf(product.rename('flowcontrol.apiserver.k8s.io/v1'))) {
    const prefix = keyPrefix(resource);
    const isSchema = resource.name === 'flowschemas';
    await watchObjects(
      store,
      resource,
      (key, object) => {
        const name = key.slice(prefix.length);
        if (isSchema) flowControl.changeSchema(name, object);
        else flowControl.changeLevel(name, object);
      },
      log,
    );
  }
}
