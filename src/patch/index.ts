/** How an object is changed by a patch or an applied configuration, and who then owns which field. */
export {
  applyJsonPatch,
  decodeJsonPatch,
  type JsonPatchLimits,
  type JsonPatchOperation,
  jsonPatchLimits,
} from './json-patch.ts';
export { applyMergePatch, createMergePatch, createThreeWayMergePatch } from './merge-patch.ts';
export { PatchError, type PatchErrorCode } from './patch-error.ts';
export { createStrategicPatch, createThreeWayStrategicPatch } from './strategic/diff.ts';
export { applyStrategicMergePatch } from './strategic/merge.ts';
