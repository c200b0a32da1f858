import type { ServiceRanges } from '../registry/index.ts';
import type { BootstrapParts } from './bootstrap.ts';
import { type OwnObjectParts, ownObjectWriter } from './own-objects.ts';
import { startObjects } from './start-objects.ts';

/** Creates missing objects that the real server creates at each start, if their resources are served. */
export async function bootstrapOwn(parts: OwnObjectParts & BootstrapParts & { readonly ranges: ServiceRanges }): Promise<void> {
  const { env, store, catalog, product, ranges } = parts;
  const write = ownObjectWriter(parts);
  await Promise.all(
    startObjects(catalog, product, env.clock.nowMs(), ranges).map(async (own) => {
      const resource = catalog.resource(own.groupVersion, own.resource);
      if (!resource) return;
      const ref = { resource, namespace: own.namespace, name: own.name };
      if (!(await store.find(ref))) await write(ref, own);
    }),
  );
}
