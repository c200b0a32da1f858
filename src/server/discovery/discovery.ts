import type { ApiResponse, Product } from '../../meta/index.ts';
import { type Catalog, formatGroupVersion } from '../../schema/index.ts';
import type { AggregatedApis } from '../aggregation/aggregated-apis.ts';
import { groupDiscoveryList } from './aggregated.ts';
import { type DiscoveredGroup, discoveredGroups } from './discovered-groups.ts';
import { fingerprint } from './fingerprint.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';

export interface DiscoveryOptions {
  readonly catalog: Catalog;
  readonly product: Product;
  /** Host and port under which clients find the server: `192.0.2.1:6443`. */
  readonly serverAddress: string;
  readonly aggregated: AggregatedApis;
}

/** All discovery documents of one catalog. Each is built on first use and cached. */
export interface Discovery {
  readonly groups: readonly DiscoveredGroup[];
  /** The legacy document under exactly this path (`/api`, `/apis/apps/v1`) as JSON with its line feed; undefined for other paths. */
  document(path: string): string | undefined;
  aggregated(root: '/api' | '/apis'): AggregatedDocument;
}

export interface AggregatedDocument {
  /** JSON with its line feed. */
  readonly text: string;
  /** In its quotes. */
  readonly etag: string;
  readonly contentType: string;
}

export function createDiscovery({ catalog, product, serverAddress, aggregated: apis }: DiscoveryOptions): Discovery {
  const groups = discoveredGroups(catalog, apis);
  const builders = new Map<string, () => object>([
    ['/api', () => apiVersions(catalog, serverAddress)],
    ['/apis', () => apiGroupList(groups)],
  ]);
  for (const group of groups) {
    if (group.name !== '') builders.set(`/apis/${group.name}`, () => apiGroup(group));
    for (const version of group.versions) {
      if (group.aggregated.has(version)) continue;
      const groupVersion = formatGroupVersion({ group: group.name, version });
      const path = group.name === '' ? `/api/${version}` : `/apis/${groupVersion}`;
      builders.set(path, () => apiResourceList(groupVersion, catalog.resourcesOf(groupVersion)));
    }
  }
  const group = product.rename('"apidiscovery.k8s.io"').slice(1, -1);
  const contentType = `application/json;g=${group};v=v2;as=APIGroupDiscoveryList`;
  const buildAggregated = (root: '/api' | '/apis'): AggregatedDocument => {
    const text = textOf(groupDiscoveryList(catalog, groups, `${group}/v2`, root));
    return { text, etag: `"${fingerprint(text)}"`, contentType };
  };

  const documents = new Map<string, string>();
  const aggregated = new Map<string, AggregatedDocument>();
  return {
    document(path) {
      const build = builders.get(path);
      return build && getOrBuild(documents, path, () => textOf(build()));
    },
    groups,
    aggregated: (root) => getOrBuild(aggregated, root, () => buildAggregated(root)),
  };
}

/** The aggregated response; 304 when the ETag matches (cf. k8s.io/apiserver ServeHTTPWithETag). */
export function answerAggregated({ text, etag, contentType }: AggregatedDocument, ifNoneMatch: string | null): ApiResponse {
  const shared = [
    ['cache-control', 'public'],
    ['etag', etag],
    ['vary', 'Accept'],
  ] as const;
  if (ifNoneMatch === etag) return { status: 304, headers: shared, body: undefined };
  return { status: 200, headers: [['content-type', contentType], ...shared], body: text };
}

function textOf(document: object): string {
  return `${JSON.stringify(document)}\n`;
}

function getOrBuild<T>(known: Map<string, T>, key: string, build: () => T): T {
  const value = known.get(key) ?? build();
  known.set(key, value);
  return value;
}
