import type { ApiObject } from '../../../meta/index.ts';
import { itemsOf, type KindRow, partOf, textOf } from '../row.ts';

/** The versions in which objects may be stored are remembered. Cf. upstream customresourcedefinition strategy. */
export const customResourceDefinition: KindRow = {
  generation: ['spec'],
  conditionalUpdate: true,
  create: withStoredVersion,
  update: (next) => withStoredVersion(next),
  statusKeeps: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
};

function withStoredVersion(object: ApiObject): ApiObject {
  const status = partOf(object, 'status');
  const known = Array.isArray(status['storedVersions']) ? (status['storedVersions'] as readonly string[]) : [];
  const storage = itemsOf(partOf(object, 'spec'), 'versions').find((version) => version['storage'] === true);
  const name = textOf(storage, 'name');
  return name === '' || known.includes(name) ? object : { ...object, status: { ...status, storedVersions: [...known, name] } };
}
