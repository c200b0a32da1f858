/** Objects of any kind, over the store: create, read, update, delete, list; what is special to a kind is in its strategy. */
export { type Allocation, allocating, followServices, ServiceAllocator } from './allocation/index.ts';
export { encodeContinue } from './continue-token.ts';
export { type ConvertObject, createConversion } from './conversion/index.ts';
export { CorruptObjectError, corruptDeletion } from './corrupt-object.ts';
export { type CreateInput, createObject, inRequestNamespace, refuseInvalid, type WriteContext, type Written } from './create.ts';
export { type Deleted, type DeleteInput, type DeleteOptions, deleteObject } from './delete.ts';
export { deleteNamespace } from './delete-namespace.ts';
export { type Follower, followObjects } from './follow-objects.ts';
export { type Listed, type ListQuery, listObjects, reachVersion } from './list.ts';
export { collectionPrefix, keyPrefix, objectKey } from './object-keys.ts';
export { type ObjectRef, ObjectStore, staleWrite, statusOfStorage, subjectOf } from './object-store.ts';
export { readVersion } from './resource-version.ts';
export { StoredObject } from './stored-object.ts';
export { type StrategyTools, strategyFor } from './strategies/index.ts';
export type { Requester, Strategy, StrategyContext } from './strategy.ts';
export { type Updated, type UpdateInput, updateObject } from './update.ts';
