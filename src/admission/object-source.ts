import { type ApiObject, pathSegmentNames } from '../meta/index.ts';

/** Reads objects of one kind as they are stored now; supplied by `cluster`. The namespace of cluster-scoped ones is empty. */
export interface ObjectSource {
  find(namespace: string, name: string): Promise<ApiObject | undefined>;
  /** In order of name. */
  list(namespace: string): Promise<readonly ApiObject[]>;
}

/** Why upstream's client would not even ask for an object of this name; undefined when it would. */
export function unaskableName(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty';
  const wrong = pathSegmentNames.name(name);
  return wrong.length === 0 ? undefined : `invalid resource name ${JSON.stringify(name)}: [${wrong.join(' ')}]`;
}
