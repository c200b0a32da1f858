import { type JsonObject, StatusError } from '../../meta/index.ts';
import type { ApiClient } from './client.ts';
import { type KnownResource, objectsIn, textsIn } from './discovery.ts';

/** Group by group, from servers that tell nothing at once: older ones, and those that were asked plainly. */
export async function readLegacy(client: ApiClient, body: JsonObject): Promise<KnownResource[]> {
  const core = textsIn(body['versions']);
  const grouped = objectsIn(body['groups']).flatMap((group) =>
    objectsIn(group['versions']).map((version) => String(version['groupVersion'])),
  );
  const found: KnownResource[] = [];
  for (const groupVersion of [...core, ...grouped]) {
    const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    try {
      const list = await client.read('GET', path, { query: { timeout: '32s' } });
      found.push(...readLegacyList(objectsIn(list['resources']), groupVersion));
    } catch (error) {
      // A group whose server is away does not hide the others.
      if (!(error instanceof StatusError)) throw error;
    }
  }
  return found;
}

function readLegacyList(resources: readonly JsonObject[], groupVersion: string): KnownResource[] {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const subresources = resources.map(({ name }) => String(name)).filter((name) => name.includes('/'));
  return resources
    .filter(({ name }) => !String(name).includes('/'))
    .map((from) => ({
      group,
      version,
      name: String(from['name']),
      singular: String(from['singularName'] ?? ''),
      kind: String(from['kind']),
      namespaced: from['namespaced'] === true,
      verbs: textsIn(from['verbs']),
      shortNames: textsIn(from['shortNames']),
      categories: textsIn(from['categories']),
      subresources: subresources
        .filter((name) => name.startsWith(`${String(from['name'])}/`))
        .map((name) => name.slice(name.indexOf('/') + 1)),
      preferred: false,
    }));
}
