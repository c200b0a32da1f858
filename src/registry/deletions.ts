import type { Resource } from '../schema/index.ts';
import type { WriteContext } from './create.ts';
import { deleteDefinition } from './custom/delete-definition.ts';
import { type Deleted, type DeleteInput, deleteObject } from './delete.ts';
import { deleteNamespace } from './delete-namespace.ts';
import type { ObjectStore } from './object-store.ts';

type Deletion = (store: ObjectStore, input: DeleteInput, context: WriteContext) => Promise<Deleted>;

/** How objects of a resource are deleted: what holds others is only marked at first. */
export function deletionOf({ group, name, custom }: Resource): Deletion {
  if (custom) return deleteObject;
  if (group === '' && name === 'namespaces') return deleteNamespace;
  return name === 'customresourcedefinitions' ? deleteDefinition : deleteObject;
}
