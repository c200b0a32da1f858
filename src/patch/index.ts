/** Patches, server-side apply, and field ownership (managedFields). */

export type { ApplyConflict } from './apply/conflicts.ts';
export {
  type ApplyRequest,
  type ApplyResult,
  createFieldOwnership,
  type FieldOwnership,
  type OwnedKind,
  type OwnershipOptions,
  type UpdateRequest,
} from './apply/field-ownership.ts';
export { managerFromUserAgent } from './apply/manager-name.ts';
export { OwnershipError, type OwnershipErrorCode } from './apply/ownership-error.ts';
export { type ReplicasPaths, toParentManagedFields, toScaleManagedFields } from './apply/scale.ts';
export { restoreUnchangedTimes } from './apply/unchanged-times.ts';
export type { ConvertVersion } from './apply/versions.ts';
export { formatDocument, orderMembersInSteps } from './document-text.ts';
export {
  applyJsonPatch,
  applyJsonPatchInSteps,
  decodeJsonPatch,
  decodeLooseJsonPatch,
  type JsonPatchLimits,
  type JsonPatchOperation,
} from './json-patch.ts';
export { applyMergePatch, applyMergePatchInSteps, createMergePatch, createThreeWayMergePatch } from './merge-patch.ts';
export { PatchError, type PatchErrorCode } from './patch-error.ts';
export { createStrategicPatch, createThreeWayStrategicPatch } from './strategic/diff.ts';
export { applyStrategicMergePatch } from './strategic/merge.ts';
export { remainingPatch } from './strategic/remaining-patch.ts';
