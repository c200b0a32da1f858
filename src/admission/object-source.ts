import { type ApiObject, notFound, pathSegmentNames } from '../meta/index.ts';

/** Reads stored objects of one kind; supplied by `cluster`. The namespace is empty for cluster-scoped kinds. */
export interface ObjectSource {
  find(namespace: string, name: string): Promise<ApiObject | undefined>;
  /** Sorted by name. */
  list(namespace: string): Promise<readonly ApiObject[]>;
}

/** Why upstream's client rejects this name before it sends a request; undefined for a valid name. */
export function invalidNameReason(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty';
  const wrong = pathSegmentNames.name(name);
  return wrong.length === 0 ? undefined : `invalid resource name ${JSON.stringify(name)}: [${wrong.join(' ')}]`;
}

/** The namespace that is looked up. @throws StatusError 404 */
export async function requireNamespace(lookup: Promise<ApiObject | undefined>, name: string): Promise<ApiObject> {
  const found = await lookup;
  if (!found) throw notFound({ group: '', name: 'namespaces' }, name);
  return found;
}
