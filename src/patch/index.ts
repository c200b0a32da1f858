/** Patches, server-side apply, and field ownership (managedFields). */

export {
  type ApplyResult,
  createFieldOwnership,
  type FieldOwnership,
  type OwnedKind,
} from './apply/field-ownership.ts';
export { managerFromUserAgent } from './apply/managers/manager-name.ts';
export { OwnershipError } from './apply/managers/ownership-error.ts';
export { restoreUnchangedTimes } from './apply/managers/unchanged-times.ts';
export { type ReplicasPaths, toParentManagedFields, toScaleManagedFields } from './apply/scale.ts';
export { mergeConfiguration } from './apply/typed/merge-configuration.ts';
export { formatDocument, orderMembersInSteps } from './document-text.ts';
export {
  applyJsonPatch,
  applyJsonPatchInSteps,
  decodeJsonPatch,
  decodeLooseJsonPatch,
  type JsonPatchOperation,
} from './json-patch.ts';
export { applyMergePatch, applyMergePatchInSteps, createMergePatch, createThreeWayMergePatch } from './merge-patch.ts';
export { PatchError, PatchTestError } from './patch-error.ts';
export { createStrategicPatch, createThreeWayStrategicPatch } from './strategic/diff.ts';
export { applyStrategicMergePatch } from './strategic/merge.ts';
export { remainingPatch } from './strategic/remaining-patch.ts';
