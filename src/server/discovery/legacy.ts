import { type Catalog, formatGroupVersion, type Group, parseGroupVersion, type Resource, type Subresource } from '../../schema/index.ts';
import { discoveryVerbs } from './verbs.ts';

/** One group version with its name, as it appears in APIGroup. */
interface GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}

/** `/api`: the versions of the core group. */
export function apiVersions(catalog: Catalog, serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions: catalog.groups.find(({ name }) => name === '')?.versions ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis`: all named groups, in discovery order. */
export function apiGroupList(all: readonly Group[]): object {
  const groups = all.filter(({ name }) => name !== '').map(groupBody);
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** `/apis/<group>`. */
export function apiGroup(group: Group): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) };
}

function groupBody({ name, versions }: Group): object {
  const all = versions.map(
    (version): GroupVersionForDiscovery => ({ groupVersion: formatGroupVersion({ group: name, version }), version }),
  );
  return { name, versions: all, preferredVersion: all[0] };
}

/** `/api/v1`, `/apis/<group>/<version>`: resources, each followed by its subresources. */
export function apiResourceList(groupVersion: string, resources: readonly Resource[]): object {
  return {
    kind: 'APIResourceList',
    // The core group's list has no apiVersion, like kube-apiserver's.
    ...(groupVersion === 'v1' ? {} : { apiVersion: 'v1' }),
    groupVersion,
    resources: resources.flatMap((resource) => [
      resourceEntry(resource),
      ...[...resource.subresources.values()].map((sub) => subresourceEntry(resource, sub)),
    ]),
  };
}

function resourceEntry(resource: Resource): object {
  const { name, singular, namespaced, kind, shortNames, categories, storageVersionHash } = resource;
  return {
    name,
    singularName: singular,
    namespaced,
    kind,
    verbs: discoveryVerbs(resource, resource.verbs),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  };
}

function subresourceEntry(resource: Resource, sub: Subresource): object {
  const own = sub.groupVersion === formatGroupVersion(resource);
  return {
    name: `${resource.name}/${sub.name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(own ? {} : parseGroupVersion(sub.groupVersion)),
    kind: sub.kind,
    verbs: discoveryVerbs(undefined, sub.verbs),
  };
}
