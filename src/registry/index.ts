/** Objects of any kind, over the store: create, read, update, delete, list; what is special to a kind is in its strategy. */
export {
  type AddressRange,
  type Allocation,
  addressNumber,
  addressRange,
  addressText,
  allocating,
  followServices,
  lockRoot,
  ServiceAllocator,
  type ServiceRanges,
  SharedLock,
  serviceAddresses,
  serviceRanges,
} from './allocation/index.ts';
export { encodeContinue } from './continue-token.ts';
export { type ConvertObject, createConversion, definitionForStore, definitionFromStore } from './conversion/index.ts';
export { CorruptObjectError, corruptDeletion } from './corrupt-object.ts';
export {
  type CreateInput,
  createObject,
  ensureObjectNamespaceMatchesRequestNamespace,
  refuseInvalid,
  type WriteContext,
  type Written,
} from './create.ts';
export { type CustomForm, createCustomForm } from './custom/custom-form.ts';
export { storedResource } from './custom/custom-resources.ts';
export { type CustomRules, createCustomRules } from './custom/custom-rules.ts';
export { customStrategy, typeErrors } from './custom/custom-strategy.ts';
export { controlDefinitions, type DefinitionWriter } from './custom/definition-controller.ts';
export { type Definitions, type Served, watchDefinitions } from './custom/follow-definitions.ts';
export { createLifetimes, type Lifetimes } from './custom/lifetimes.ts';
export { countObjects, removeObjects } from './custom/remove-objects.ts';
export { accessorError, valueAtPath } from './custom/scale-rules.ts';
export { type Deleted, type DeleteInput, type DeleteOptions, deleteObject } from './delete.ts';
export { deletionOf } from './deletions.ts';
export { guardingAdminAccess, watchAdminNamespaces } from './devices/admin-access.ts';
export { type EntryUpdate, watchEntries } from './follow-entries.ts';
export { type ObjectHandler, readableEntry, watchObjects } from './follow-objects.ts';
export { type Listed, type ListQuery, listObjects, waitUntilFresh } from './list.ts';
export { collectionPrefix, keyPrefix, objectKey } from './object-keys.ts';
export { type ObjectRef, ObjectStore, requestTimedOut, staleWrite, statusOfStorage, subjectOf } from './object-store.ts';
export { requireForDeletion, requireForWrite } from './preconditions.ts';
export { readVersion } from './resource-version.ts';
export { StoredObject, storedJson, UnversionedObject } from './stored-object.ts';
export { type StrategyTools, strategyFor } from './strategies/index.ts';
export { localService } from './strategies/others/api-service.ts';
export type { Requester, Strategy, StrategyContext } from './strategy.ts';
export { type Updated, type UpdateInput, updateObject } from './update.ts';
