/** The place in Explore: none, a type, or an object. */
export interface ExplorePlace {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, as in the URL; empty when no type is selected. */
  readonly resource: string;
  /** Empty for all namespaces and for cluster-scoped types. */
  readonly namespace: string;
  /** Empty for the grid of the type. */
  readonly name: string;
  /** `tab`, `filter`, `sort`, `left`, … */
  readonly query: Readonly<Record<string, string>>;
}

export const emptyPlace: ExplorePlace = { group: '', version: '', resource: '', namespace: '', name: '', query: {} };

/** The core group, and the missing namespace of a cluster-scoped object, in a route. */
const coreGroup = 'core';
const noNamespace = '-';

/** `o/apps/v1/deployments`, `o/core/v1/pods/default`, `o/apps/v1/deployments/default/web`, `o/core/v1/nodes/-/n1`. */
export function parsePlace(segments: readonly string[], query: ExplorePlace['query']): ExplorePlace {
  const [group = '', version = '', resource = '', namespace = '', name = ''] = segments;
  if (resource === '') return { ...emptyPlace, query };
  return {
    group: group === coreGroup ? '' : group,
    version,
    resource,
    namespace: namespace === noNamespace ? '' : namespace,
    name,
    query,
  };
}

export function linkToPlace(place: Partial<ExplorePlace>): string {
  const { group, version, resource, namespace, name, query }: ExplorePlace = { ...emptyPlace, ...place };
  const search = new URLSearchParams(query).toString();
  const tail = search === '' ? '' : `?${search}`;
  if (resource === '') return `#/o${tail}`;
  const words = [group === '' ? coreGroup : group, version, resource];
  if (name !== '') words.push(namespace === '' ? noNamespace : namespace, name);
  else if (namespace !== '') words.push(namespace);
  return `#/o/${words.map(encodeURIComponent).join('/')}${tail}`;
}
