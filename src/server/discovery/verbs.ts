import type { Resource, ResourceVerb } from '../../schema/index.ts';

/** Custom resources name their verbs in this order (cf. apiextensions-apiserver, the discovery controller); all else is sorted. */
const customOrder: readonly ResourceVerb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The verbs as discovery lists them; `resource` is undefined for those of a subresource. */
export function discoveryVerbs(resource: Resource | undefined, verbs: ReadonlySet<ResourceVerb>): readonly ResourceVerb[] {
  if (resource?.custom) return customOrder.filter((verb) => verbs.has(verb));
  return [...verbs].sort();
}
