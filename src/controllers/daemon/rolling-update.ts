import type { corev1 } from '../../schema/api/index.ts';
import { isPodAvailable } from '../pods/index.ts';
import { updateLimits } from './daemon-counts.ts';
import { isUpdated } from './daemon-pod.ts';
import type { DaemonPlan, PlanContext } from './manage.ts';
import { nodeEligibility } from './node-eligibility.ts';
import { isTerminating, type NodePods } from './node-pods.ts';

type UpdateContext = Omit<PlanContext, 'isBackedOff'>;

/** The new and the old pod of a node that are not being deleted. */
interface NodeState {
  readonly node: string;
  readonly updated: corev1.Pod | undefined;
  readonly old: corev1.Pod | undefined;
  /** Several new or old pods: they are deleted first. */
  readonly hasExcess: boolean;
}

/** The next pods that a rolling update replaces. Cf. pkg/controller/daemon/update.go rollingUpdate. */
export function planUpdate(nodes: readonly corev1.Node[], nodePods: NodePods, context: UpdateContext): DaemonPlan {
  const eligible = nodes.filter((node) => nodeEligibility(node, context.set).shouldRun).map(({ metadata }) => metadata.name ?? '');
  const { maxSurge, maxUnavailable } = updateLimits(context.set, eligible.length);
  const names = new Set([...nodePods.keys(), ...eligible]);
  const states = [...names].map((node) => stateOf(node, nodePods.get(node) ?? [], context.hash));
  if (maxSurge === 0) return { create: [], remove: podsToReplace(states, maxUnavailable, context) };
  return planSurge(states, new Set(eligible), maxSurge, context);
}

/** Cf. findUpdatedPodsOnNode. */
function stateOf(node: string, pods: readonly corev1.Pod[], hash: string): NodeState {
  const living = pods.filter((pod) => !isTerminating(pod));
  const updated = living.filter((pod) => isUpdated(pod, hash));
  const old = living.filter((pod) => !isUpdated(pod, hash));
  return { node, updated: updated[0], old: old[0], hasExcess: updated.length > 1 || old.length > 1 };
}

function availability({ set, nowMs }: UpdateContext): (pod: corev1.Pod | undefined) => boolean {
  return (pod) => pod !== undefined && isPodAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
}

/** Without a surge: old pods that are unavailable, and others while fewer than `maxUnavailable` are unavailable. */
function podsToReplace(states: readonly NodeState[], maxUnavailable: number, context: UpdateContext): readonly corev1.Pod[] {
  const isAvailable = availability(context);
  const replaced: corev1.Pod[] = [];
  const candidates: corev1.Pod[] = [];
  let unavailable = 0;
  for (const { updated, old, hasExcess } of states) {
    const isSettled = !hasExcess && (updated === undefined) !== (old === undefined);
    if (!isSettled || !isAvailable(updated ?? old)) unavailable++;
    if (!isSettled || !old) continue;
    if (isAvailable(old)) candidates.push(old);
    else replaced.push(old);
  }
  return [...replaced, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))];
}

/** With a surge: new pods beside at most `maxSurge` available old ones, which are deleted when the new ones are available. */
function planSurge(states: readonly NodeState[], eligible: ReadonlySet<string>, maxSurge: number, context: UpdateContext): DaemonPlan {
  const isAvailable = availability(context);
  const settled = states.filter(({ hasExcess }) => !hasExcess);
  const available = settled.filter(({ old, updated }) => isAvailable(old ?? updated)).length;
  const olds = settled.flatMap(({ node, old, updated }) => (old ? [{ node, old, updated, isEligible: eligible.has(node) }] : []));
  const surged = olds.filter(({ updated }) => updated);
  const pending = surged.filter(({ updated }) => !isAvailable(updated)).length;
  const surge = states.length - settled.length + pending;
  const alone = olds.filter(({ updated }) => !updated);
  const unavailable = alone.filter(({ old }) => !isAvailable(old));
  const ready = alone.filter(({ old }) => isAvailable(old));
  // Available pods on nodes that are not eligible any more remain until enough others are available.
  const deletable = Math.max(0, available - eligible.size);
  const remove = [
    ...surged.filter(({ updated }) => isAvailable(updated)),
    ...unavailable.filter(({ isEligible }) => !isEligible),
    ...ready.filter(({ isEligible }) => !isEligible).slice(0, deletable),
  ];
  const create = [
    ...unavailable.filter(({ isEligible }) => isEligible),
    ...ready.filter(({ isEligible }) => isEligible).slice(0, Math.max(0, maxSurge - surge)),
  ];
  return { create: create.map(({ node }) => node), remove: remove.map(({ old }) => old) };
}
