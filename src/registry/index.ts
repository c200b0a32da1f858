/** Generic registry of objects of any kind, over the key space: create, get, update, delete, list. A kind's own behaviour is in its strategy. */
export {
  type AddressRange,
  addressNumber,
  addressRange,
  addressText,
  lockPrefix,
  ServiceAllocator,
  type ServiceRanges,
  SharedLock,
  serviceAddresses,
  serviceRanges,
  watchServices,
  withServiceAllocation,
} from './allocation/index.ts';
export { createConversion, definitionForStore, definitionFromStore } from './conversion/index.ts';
export { CorruptObjectError, corruptDeletionError } from './corrupt-object.ts';
export {
  createObject,
  ensureObjectNamespaceMatchesRequestNamespace,
  type WriteContext,
  type WriteResult,
} from './create.ts';
export {
  ConversionError,
  createConversionReview,
  describeKind,
  readConvertedObjects,
  selectReviewVersion,
} from './custom/conversion-review.ts';
export { ConvertingKeySpace, type ConvertObjects } from './custom/converting-key-space.ts';
export { type CustomObjectCodec, createCustomObjectCodec } from './custom/custom-object-codec.ts';
export { storedResource } from './custom/custom-resources.ts';
export { createCustomRules } from './custom/custom-rules.ts';
export { createCustomStrategy, typeErrors } from './custom/custom-strategy.ts';
export { type DefinitionWriter, startDefinitionController } from './custom/definition-controller.ts';
export { type DefinitionInformer, startDefinitionInformer } from './custom/definition-informer.ts';
export { countObjects, removeObjects } from './custom/remove-objects.ts';
export { accessorError, valueAtPath } from './custom/scale-rules.ts';
export { createServingLifetimes, type ServingLifetimes } from './custom/serving-lifetimes.ts';
export { type DeleteOptions, type DeleteResult, deleteObject } from './delete.ts';
export { type DeleteFunction, deleteFunctionFor } from './delete-functions.ts';
export { watchAdminNamespaces, withAdminAccessCheck } from './devices/admin-access.ts';
export { type ListResult, listObjects, waitUntilFresh } from './list.ts';
export { collectionPrefix, keyPrefix, objectKey } from './object-keys.ts';
export { type ObjectRef, ObjectStore, requestTimedOut, staleWrite, subjectOf, toStatusError } from './object-store.ts';
export { checkDeletePreconditions, checkPreconditions, checkUpdatePreconditions } from './preconditions.ts';
export { parseResourceVersion } from './resource-version.ts';
export { parseStoredJson, StoredObject, UnversionedObject } from './stored-object.ts';
export { strategyFor } from './strategies/index.ts';
export { localService } from './strategies/others/api-service.ts';
export type { Requester, Strategy } from './strategy.ts';
export { type UpdateResult, updateObject } from './update.ts';
export { type EntryUpdate, watchEntries } from './watch-entries.ts';
export { tryDecodeEntry, watchObjects } from './watch-objects.ts';
