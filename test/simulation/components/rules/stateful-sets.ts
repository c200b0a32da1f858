import type { appsv1, corev1 } from '../../../../src/schema/api/index.ts';
import { check, rules } from '../../checker/violation.ts';
import type { ObservedState } from '../observed-state.ts';
import { controllerUid, isFinished, readySinceMs } from '../pod-facts.ts';

/** A pod of a stateful set is removed only after its containers, and created only after those of lower ordinals are ready. */
export function observeStatefulSets({ state, disrupts }: { readonly state: ObservedState; readonly disrupts: boolean }): void {
  state.observe((change) => {
    if (change.kind !== 'Pod') return;
    const { before, after } = change as { before?: corev1.Pod; after?: corev1.Pod };
    const pod = after ?? before;
    if (pod?.metadata.ownerReferences?.[0]?.kind !== 'StatefulSet') return;
    if (!after) checkStopped(pod);
    const set = state.withUid('StatefulSet', controllerUid(pod) ?? '');
    if (after && !before && set && !disrupts) checkOrder(state, set, after);
  });
}

/** Else another pod of the ordinal may run besides its containers. */
function checkStopped({ metadata, spec, status }: corev1.Pod): void {
  const running = (status.containerStatuses ?? []).some(({ state }) => state?.running !== undefined);
  check(!spec.nodeName || !running, rules.ordinal, () => `${metadata.name} is removed while its containers run`);
}

function checkOrder(state: ObservedState, set: appsv1.StatefulSet, pod: corev1.Pod): void {
  if (set.spec.podManagementPolicy === 'Parallel') return;
  const ordinal = ordinalOf(pod);
  const lower = state.controlled('Pod', set).filter((one) => one !== pod && ordinalOf(one) < ordinal && !isFinished(one));
  const unready = lower.find((one) => readySinceMs(one) === undefined);
  check(!unready, rules.ordered, () => `${pod.metadata.name} is created before ${unready?.metadata.name} is ready`);
}

const ordinalOf = ({ metadata: { name = '' } }: corev1.Pod): number => Number(name.slice(name.lastIndexOf('-') + 1));
