/** What the controllers of pods share: the states of pods, their creation and deletion, and the relation to their controllers. */

export { checkAdoption, claimObjects } from './claim-objects.ts';
export { ControlledObjects } from './controlled-objects.ts';
export { ControllerLookup } from './controller-lookup.ts';
export { controllerOf, isControlledBy, newControllerReference } from './controller-reference.ts';
export { byDeletionOrder, byRankedDeletionOrder } from './deletion-order.ts';
export { mapToControllers } from './dependent-handlers.ts';
export { isNamespaceTerminating, PodControl } from './pod-control.ts';
export { type Disruption, patchDisruption } from './pod-disruption.ts';
export {
  isPodActive,
  isPodAvailable,
  isPodReady,
  isPodTerminal,
  isPodTerminating,
  nextAvailabilityMs,
  podCondition,
} from './pod-state.ts';
export { podFromTemplate, podNamePrefix } from './pod-template.ts';
export { isEmptySelector, type LabelMatcher, labelMatcher } from './selector-matcher.ts';
export { slowStartBatch } from './slow-start.ts';
export { podTemplateHash, safeEncode } from './template-hash/pod-template-hash.ts';
export { watchControllers } from './watch-controllers.ts';
