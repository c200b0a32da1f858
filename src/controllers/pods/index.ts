/** What the controllers of pods share: the states of pods, their creation and deletion, and the relation to their controllers. */

export { type ClaimOptions, claimObjects } from './claim-objects.ts';
export { ControlledObjects } from './controlled-objects.ts';
export { ControllerLookup, type ControllerLookupOptions } from './controller-lookup.ts';
export { controllerOf, isControlledBy, newControllerReference } from './controller-reference.ts';
export { byDeletionOrder, byRankedDeletionOrder, type DeletionRanking, type PodComparison } from './deletion-order.ts';
export { type DependentHandlerOptions, type DependentHandlers, mapToControllers } from './dependent-handlers.ts';
export { isNamespaceTerminating, PodControl, type PodControlOptions } from './pod-control.ts';
export { type Disruption, patchDisruption } from './pod-disruption.ts';
export {
  isPodActive,
  isPodAvailable,
  isPodReady,
  isPodTerminal,
  isPodTerminating,
  nextAvailabilityMs,
  podCondition,
  podReadyMs,
} from './pod-state.ts';
export { podFromTemplate, podNamePrefix } from './pod-template.ts';
export { isEmptySelector, type LabelMatcher, labelMatcher } from './selector-matcher.ts';
export { type SlowStartResult, slowStartBatch } from './slow-start.ts';
export { podTemplateHash, safeEncode } from './template-hash/pod-template-hash.ts';
export { type WatchedControllers, watchControllers } from './watch-controllers.ts';
