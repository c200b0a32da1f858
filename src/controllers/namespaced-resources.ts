import { type JsonObject, objectsAt, type Product, recordAt, textAt, textsAt } from '../meta/index.ts';
import { called, readOf } from './api-call.ts';
import type { ControllerParts } from './controller.ts';

/** A resource whose objects live in namespaces and can be deleted, in the version that its group prefers. */
export interface NamespacedResource {
  readonly group: string;
  readonly version: string;
  readonly name: string;
  readonly verbs: readonly string[];
}

/** All that there are now, custom ones too. @throws CallError */
export async function namespacedResources({ api, product }: ControllerParts, signal: AbortSignal): Promise<readonly NamespacedResource[]> {
  const accept = aggregatedType(product);
  const [legacy, groups] = [await called(api, readOf('/api', signal, accept)), await called(api, readOf('/apis', signal, accept))];
  return [...objectsAt(legacy, 'items'), ...objectsAt(groups, 'items')].flatMap(deletableOf);
}

/** Where objects of a resource are. */
export function collectionPath({ group, version, name }: NamespacedResource, namespace: string): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${namespace}/${name}`;
}

function aggregatedType(product: Product): string {
  const group = product.rename('"apidiscovery.k8s.io"').slice(1, -1);
  return `application/json;g=${group};v=v2;as=APIGroupDiscoveryList`;
}

/** A resource that several versions have counts in the first of them. */
function deletableOf(item: JsonObject): readonly NamespacedResource[] {
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
