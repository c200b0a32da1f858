import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { isPodAvailable, isPodReady, isPodTerminal } from '../pods/index.ts';
import { allowsSurge } from './daemon-counts.ts';
import { isUpdated } from './daemon-pod.ts';
import { nodeEligibility } from './node-eligibility.ts';
import { byAge, isTerminating, type NodePods } from './node-pods.ts';

/** The pods to create and to delete. */
export interface DaemonPlan {
  /** The names of the nodes that get a pod. */
  readonly create: readonly string[];
  readonly remove: readonly corev1.Pod[];
}

/** A pod that ended, with the name of its node. */
export interface EndedPod {
  readonly pod: corev1.Pod;
  readonly node: string;
}

/** The plan of a sync, with the ended pods that it deletes. */
export interface ManagePlan extends DaemonPlan {
  readonly ended: readonly EndedPod[];
}

export interface PlanContext {
  readonly set: appsv1.DaemonSet;
  /** The hash of the current template. */
  readonly hash: string;
  readonly nowMs: number;
  /** Whether the deletion of a failed pod has to wait, since the node has failed such pods before. */
  readonly isBackedOff: (ended: EndedPod) => boolean;
}

/** Brings the pods on all nodes to the number that there should be, apart from updates. Cf. manage, podsShouldBeOnNode. */
export function planPods(nodes: readonly corev1.Node[], nodePods: NodePods, context: PlanContext): ManagePlan {
  const plans = nodes.map((node) => planNode(node, nodePods.get(node.metadata.name ?? ''), context));
  return {
    create: plans.flatMap(({ create }) => create),
    remove: [...plans.flatMap(({ remove }) => remove), ...podsWithoutNode(nodes, nodePods)],
    ended: plans.flatMap(({ ended }) => ended),
  };
}

const nothing: ManagePlan = { create: [], remove: [], ended: [] };

function planNode(node: corev1.Node, pods: readonly corev1.Pod[] | undefined, context: PlanContext): ManagePlan {
  const { name = '' } = node.metadata;
  const { shouldRun, shouldContinue } = nodeEligibility(node, context.set);
  if (!pods) return shouldRun ? { ...nothing, create: [name] } : nothing;
  const living = pods.filter((pod) => !isTerminating(pod));
  if (!shouldContinue) return { ...nothing, remove: living };
  const ended = living
    .filter(isPodTerminal)
    .map((pod) => ({ pod, node: name }))
    .filter((one) => one.pod.status.phase === 'Succeeded' || !context.isBackedOff(one));
  const running = byAge(living.filter((pod) => !isPodTerminal(pod)));
  const { create, remove } = planRunning(name, running, shouldRun, context);
  return { create, remove: [...ended.map(({ pod }) => pod), ...remove], ended };
}

function planRunning(node: string, running: readonly corev1.Pod[], shouldRun: boolean, context: PlanContext): DaemonPlan {
  if (!allowsSurge(context.set)) return { create: [], remove: running.slice(1) };
  if (running.length > 1) return { create: [], remove: excessOfSurge(running, context) };
  return { create: running.length === 0 && shouldRun ? [node] : [], remove: [] };
}

/** A node may have an old pod that is ready, and a new one that is not yet available. `running` are sorted by age. */
function excessOfSurge(running: readonly corev1.Pod[], { set, hash, nowMs }: PlanContext): readonly corev1.Pod[] {
  const updated = running.find((pod) => isUpdated(pod, hash));
  const old = running.find((pod) => !isUpdated(pod, hash));
  const excess = running.filter((pod) => pod !== updated && pod !== old);
  if (!updated || !old) return excess;
  const isReplaced = !isPodReady(old) || isPodAvailable(updated, set.spec.minReadySeconds ?? 0, nowMs);
  return isReplaced ? [...excess, old] : excess;
}

/** Unscheduled pods of nodes that do not exist, which no other component deletes. Cf. getUnscheduledPodsWithoutNode. */
function podsWithoutNode(nodes: readonly corev1.Node[], nodePods: NodePods): readonly corev1.Pod[] {
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  return [...nodePods].flatMap(([node, pods]) => (names.has(node) ? [] : pods.filter(({ spec }) => !spec.nodeName)));
}
