import { type JsonObject, objectsAt, type Product, recordAt, textAt, textsAt } from '../meta/index.ts';
import type { ControllerContext } from './controller.ts';

/** A namespaced, deletable resource, in the preferred version of its group. */
export interface NamespacedResource {
  readonly group: string;
  readonly version: string;
  readonly name: string;
  readonly verbs: readonly string[];
}

/** Discovers all namespaced deletable resources, including custom ones. @throws ApiError */
export async function discoverNamespacedResources({
  client,
  product,
}: Pick<ControllerContext, 'client' | 'product'>): Promise<readonly NamespacedResource[]> {
  const accept = aggregatedType(product);
  const [legacy, groups] = [await client.send('GET', '/api', { accept }), await client.send('GET', '/apis', { accept })];
  return [...objectsAt(legacy, 'items'), ...objectsAt(groups, 'items')].flatMap(deletableResources);
}

/** Path of a resource's collection in a namespace. */
export function collectionPath({ group, version, name }: NamespacedResource, namespace: string): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${namespace}/${name}`;
}

function aggregatedType(product: Product): string {
  const group = product.rename('"apidiscovery.k8s.io"').slice(1, -1);
  return `application/json;g=${group};v=v2;as=APIGroupDiscoveryList`;
}

/** A resource in several versions is taken from the first of them. */
function deletableResources(item: JsonObject): readonly NamespacedResource[] {
  const group = textAt(recordAt(item, 'metadata'), 'name');
  const seen = new Set<string>();
  return objectsAt(item, 'versions').flatMap((version) =>
    objectsAt(version, 'resources').flatMap((resource) => {
      const name = textAt(resource, 'resource');
      const verbs = textsAt(resource, 'verbs');
      if (seen.has(name)) return [];
      seen.add(name);
      if (textAt(resource, 'scope') !== 'Namespaced' || !verbs.includes('delete')) return [];
      return [{ group, version: textAt(version, 'version'), name, verbs }];
    }),
  );
}
