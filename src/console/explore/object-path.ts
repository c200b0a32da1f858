import type { ExplorePlace } from './place.ts';

/** The URL path of an object, or of a collection without a name. */
export function objectPath({ group, version, resource, namespace, name }: Omit<ExplorePlace, 'query'>): string {
  const words = group === '' ? ['api', version] : ['apis', group, version];
  if (namespace !== '') words.push('namespaces', namespace);
  words.push(resource);
  if (name !== '') words.push(name);
  return `/${words.map(encodeURIComponent).join('/')}`;
}
