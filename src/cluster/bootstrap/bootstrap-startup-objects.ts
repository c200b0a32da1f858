import type { ServiceRanges } from '../../registry/index.ts';
import type { BootstrapContext } from './bootstrap.ts';
import { createStartupObjects } from './startup-objects.ts';
import { createSystemObjectWriter, type SystemObjectWriterOptions } from './system-objects.ts';

/** Creates missing objects that the real server creates at each start, if their resources are served. */
export async function bootstrapStartupObjects(
  parts: SystemObjectWriterOptions & BootstrapContext & { readonly ranges: ServiceRanges },
): Promise<void> {
  const { env, store, catalog, product, ranges } = parts;
  const write = createSystemObjectWriter(parts);
  await Promise.all(
    createStartupObjects(catalog, product, env.clock.nowMs(), ranges).map(async (own) => {
      const resource = catalog.resource(own.groupVersion, own.resource);
      if (!resource) return;
      const ref = { resource, namespace: own.namespace, name: own.name };
      if (!(await store.find(ref))) await write(ref, own);
    }),
  );
}
