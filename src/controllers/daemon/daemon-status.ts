import { groupBy } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { isPodAvailable, isPodReady } from '../pods/index.ts';
import { isUpdated } from './daemon-pod.ts';
import { nodeEligibility } from './node-eligibility.ts';
import { byAge, type NodePods } from './node-pods.ts';

/** The counts in the status of a daemon set. */
export type DaemonCounts = Required<Omit<appsv1.DaemonSetStatus, 'collisionCount' | 'conditions' | 'observedGeneration'>>;

/** Of several pods on a node the oldest counts. Cf. updateDaemonSetStatus. */
export function countPods(
  nodes: readonly corev1.Node[],
  nodePods: NodePods,
  set: appsv1.DaemonSet,
  hash: string,
  nowMs: number,
): DaemonCounts {
  const podOf = ({ metadata }: corev1.Node): corev1.Pod | undefined => byAge(nodePods.get(metadata.name ?? '') ?? [])[0];
  const byEligibility = groupBy(nodes, (node) => nodeEligibility(node, set).shouldRun);
  const [eligible, others] = [byEligibility.get(true) ?? [], byEligibility.get(false) ?? []];
  const scheduled = eligible.flatMap((node) => podOf(node) ?? []);
  const available = scheduled.filter((pod) => isPodAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs));
  return {
    currentNumberScheduled: scheduled.length,
    numberMisscheduled: others.filter(podOf).length,
    desiredNumberScheduled: eligible.length,
    numberReady: scheduled.filter(isPodReady).length,
    updatedNumberScheduled: scheduled.filter((pod) => isUpdated(pod, hash)).length,
    numberAvailable: available.length,
    numberUnavailable: eligible.length - available.length,
  };
}

/** Cf. storeDaemonSetStatus. */
export function isStatusCurrent({ metadata, status }: appsv1.DaemonSet, counts: DaemonCounts): boolean {
  const isObserved = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return isObserved && Object.entries(counts).every(([name, count]) => (status[name as keyof DaemonCounts] ?? 0) === count);
}
