import type { Resource } from '../schema/index.ts';
import type { WriteContext } from './create.ts';
import { deleteDefinition } from './custom/delete-definition.ts';
import { type DeleteInput, type DeleteResult, deleteObject } from './delete.ts';
import { deleteNamespace } from './delete-namespace.ts';
import type { ObjectStore } from './object-store.ts';

export type DeleteFunction = (store: ObjectStore, input: DeleteInput, context: WriteContext) => Promise<DeleteResult>;

/** Returns how objects of a resource are deleted: namespaces and definitions contain other objects, so they are only marked at first. */
export function deleteFunctionFor({ group, name, custom }: Resource): DeleteFunction {
  if (custom) return deleteObject;
  if (group === '' && name === 'namespaces') return deleteNamespace;
  return name === 'customresourcedefinitions' ? deleteDefinition : deleteObject;
}
