import { type ApiClient, discoverResources, metadataOf, resourcePath } from '../../kubectl/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { toManifest } from './user-objects.ts';

/** Reads the kinds that are stored in an unserved version from the API, because such manifests cannot be applied. */
export async function toServedVersions(client: ApiClient, objects: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const types = await discoverResources(client);
  return Promise.all(
    objects.map(async (object) => {
      const [version, group = ''] = String(object['apiVersion']).split('/').reverse();
      const ofKind = types.filter((type) => type.group === group && type.kind === object['kind']);
      const preferred = ofKind.find((type) => type.preferred);
      if (preferred === undefined || ofKind.some((type) => type.version === version)) return object;
      const { name, namespace } = metadataOf(object);
      return toManifest(await client.read('GET', resourcePath(preferred, String(namespace ?? ''), String(name))));
    }),
  );
}
