import type { Resource } from '../schema/index.ts';

/** Key segments of resources where kube-apiserver does not use the resource's own name. */
const keySegments: Readonly<Record<string, string>> = {
  '/services': 'services/specs',
  '/endpoints': 'services/endpoints',
  '/nodes': 'minions',
  '/replicationcontrollers': 'controllers',
  'networking/ingresses': 'ingress',
};

/**
 * The prefix of all keys of a resource: `/registry/configmaps/`. The same as kube-apiserver's, so that `etcdctl get --prefix /registry`
 * shows the keys that an operator expects: built-in resources without their group, the others (definitions, API services, custom
 * resources) with it.
 */
export function keyPrefix(resource: Pick<Resource, 'group' | 'name' | 'custom'>): string {
  const { group, name, custom } = resource;
  const cut = group.indexOf('.');
  const domain = cut < 0 ? group : group.slice(0, cut);
  const folder = keySegments[`${domain}/${name}`] ?? name;
  const withGroup = custom || domain === 'apiregistration' || domain === 'apiextensions';
  // Events of both groups are the same stored objects.
  return withGroup ? `/registry/${group}/${folder}/` : `/registry/${folder}/`;
}

/** The key prefix of a collection: of one namespace, or of all namespaces when `namespace` is empty. */
export function collectionPrefix(resource: Resource, namespace: string): string {
  return resource.namespaced && namespace !== '' ? `${keyPrefix(resource)}${namespace}/` : keyPrefix(resource);
}

export function objectKey(resource: Resource, namespace: string, name: string): string {
  return `${collectionPrefix(resource, namespace)}${name}`;
}
