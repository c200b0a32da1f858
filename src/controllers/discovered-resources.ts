import type { ApiClient, TaggedDocument } from '../client/index.ts';
import { getOrAdd, type Product } from '../meta/index.ts';
import type { apidiscoveryv2 } from '../schema/api/index.ts';
import type { Decoded } from '../schema/index.ts';
import type { ControllerContext } from './controller.ts';

/** A resource that the server serves, with the names of the product. */
export interface DiscoveredResource {
  readonly group: string;
  readonly version: string;
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Whether the group serves the resource in no preferable version. */
  readonly isPreferred: boolean;
}

type GroupList = Decoded<apidiscoveryv2.APIGroupDiscoveryList>;

/** Discovers all resources in all versions, including custom ones, repeatedly. */
class Discovery {
  readonly #client: ApiClient;
  readonly #accept: string;
  #documents: Partial<Record<'/api' | '/apis', TaggedDocument>> = {};
  #resources: readonly DiscoveredResource[] = [];
  /** The API versions that servers which are not available serve, and whose resources are therefore unknown. */
  stale: readonly string[] = [];

  constructor({ client, product }: Pick<ControllerContext, 'client' | 'product'>) {
    this.#client = client;
    this.#accept = aggregatedType(product);
  }

  /** The same list as before while the documents of the server are unchanged. @throws ApiError */
  async resources(): Promise<readonly DiscoveredResource[]> {
    const before = this.#documents;
    const legacy = await this.#client.readDocument('/api', this.#accept, before['/api']);
    const groups = await this.#client.readDocument('/apis', this.#accept, before['/apis']);
    if (legacy === before['/api'] && groups === before['/apis']) return this.#resources;
    this.#documents = { '/api': legacy, '/apis': groups };
    const items = [legacy, groups].flatMap(({ content }: { readonly content: GroupList }) => content.items ?? []);
    this.#resources = items.flatMap(resourcesOf);
    this.stale = items.flatMap(({ metadata, versions = [] }) =>
      versions.flatMap(({ version = '', freshness }) =>
        freshness === 'Stale' ? apiVersionOf({ group: metadata?.name ?? '', version }) : [],
      ),
    );
    return this.#resources;
  }
}

const discoveries = new WeakMap<ApiClient, Discovery>();

/** All resources in all versions, including custom ones: for a client the same list while there are no changes. @throws ApiError */
export function discoverResources(context: Pick<ControllerContext, 'client' | 'product'>): Promise<readonly DiscoveredResource[]> {
  return getOrAdd(discoveries, context.client, () => new Discovery(context)).resources();
}

/** The API versions that were not available at the last discovery. */
export function staleVersionsOf({ client }: Pick<ControllerContext, 'client'>): readonly string[] {
  return discoveries.get(client)?.stale ?? [];
}

/** The API version of a resource's objects: `apps/v1`. */
export function apiVersionOf({ group, version }: Pick<DiscoveredResource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Path of a resource's collection, in all namespaces or in one. */
export function collectionPath(resource: Pick<DiscoveredResource, 'group' | 'version' | 'name'>, namespace = ''): string {
  const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${resource.group === '' ? '/api' : '/apis'}/${apiVersionOf(resource)}${within}/${resource.name}`;
}

function aggregatedType(product: Product): string {
  const group = product.rename('"apidiscovery.k8s.io"').slice(1, -1);
  return `application/json;g=${group};v=v2;as=APIGroupDiscoveryList`;
}

/** The first version of a group that serves a resource is the preferred one. */
function resourcesOf({ metadata, versions = [] }: Decoded<apidiscoveryv2.APIGroupDiscovery>): readonly DiscoveredResource[] {
  const group = metadata?.name ?? '';
  const seen = new Set<string>();
  return versions.flatMap(({ version = '', resources = [] }) =>
    resources.map(({ resource: name = '', responseKind, scope, verbs }) => {
      const isPreferred = !seen.has(name);
      seen.add(name);
      return { group, version, name, kind: responseKind?.kind ?? '', namespaced: scope === 'Namespaced', verbs: verbs ?? [], isPreferred };
    }),
  );
}
