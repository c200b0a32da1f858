import { type Catalog, formatGroupVersion, parseGroupVersion, type Resource, type Subresource } from '../../schema/index.ts';
import type { DiscoveredGroup } from './discovered-groups.ts';
import { discoveryVerbs } from './verbs.ts';

/** Everything of `/api` (the core group) or of `/apis` (the named ones) in one APIGroupDiscoveryList. */
export function groupDiscoveryList(catalog: Catalog, all: readonly DiscoveredGroup[], apiVersion: string, root: '/api' | '/apis'): object {
  const groups = all.filter(({ name }) => (name === '') === (root === '/api'));
  return { kind: 'APIGroupDiscoveryList', apiVersion, metadata: {}, items: groups.map((group) => groupDiscovery(catalog, group)) };
}

function groupDiscovery(catalog: Catalog, { name, versions, aggregated }: DiscoveredGroup): object {
  return {
    metadata: name === '' ? {} : { name },
    versions: versions.map(
      (version) =>
        aggregated.get(version) ?? {
          version,
          resources: catalog.resourcesOf(formatGroupVersion({ group: name, version })).map(resourceDiscovery),
          freshness: 'Current',
        },
    ),
  };
}

function resourceDiscovery(resource: Resource): object {
  const { name, kind, namespaced, singular, shortNames, categories, subresources } = resource;
  return {
    resource: name,
    responseKind: responseKind(resource, formatGroupVersion(resource), kind),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: discoveryVerbs(resource, resource.verbs),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.size > 0 ? { subresources: [...subresources.values()].map((sub) => subresourceDiscovery(resource, sub)) } : {}),
  };
}

function subresourceDiscovery(resource: Resource, { name, kind, groupVersion, verbs }: Subresource): object {
  return {
    subresource: name,
    responseKind: responseKind(resource, groupVersion, kind),
    verbs: discoveryVerbs(undefined, verbs),
  };
}

/** Built-in kinds leave their own group version out; custom ones write it (cf. apiextensions-apiserver, the discovery controller). */
function responseKind(resource: Resource, groupVersion: string, kind: string): object {
  const own = groupVersion === formatGroupVersion(resource) && !resource.custom;
  return { ...(own ? { group: '', version: '' } : parseGroupVersion(groupVersion)), kind };
}
