import { amountOf, podRequests } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { rejectionOf } from './admit.ts';
import { Backoff } from './crash-backoff.ts';
import { type ContainerState, containersOf, type PodState } from './pod-state.ts';
import type { Step } from './step.ts';
import { killContainer } from './stop-pod.ts';

/** How often a deferred resize is tried again when no other pod was removed or resized. Cf. pkg/kubelet/allocation retryDelay. */
const retryMs = 180_000;

/** Why a resize is not made. */
export interface PendingResize {
  readonly reason: 'Deferred' | 'Infeasible';
  readonly message: string;
}

/** A container that is not resized yet. */
interface FormerContainer {
  readonly resources: corev1.ResourceRequirements;
  /** The run that must end first; undefined: the container need not be restarted. */
  readonly endingRun: string | undefined;
}

/** A resize that is being made. */
export interface ResizeInProgress {
  /** The generation of the pod when the resources were allocated. */
  readonly generation: number;
  /** The time at which the changed resources are observed. */
  readonly observedMs: number;
  /** By name. */
  readonly former: ReadonlyMap<string, FormerContainer>;
}

/** The kubelet observes its containers once a second. Cf. pkg/kubelet genericPlegRelistPeriod. */
const observationMs = 1_000;

/**
 * Allocates the resources of the spec, in place of those that the pod has, when they fit on the node. `others`: the other pods of the node.
 * Cf. pkg/kubelet/allocation handlePodResourcesResize.
 */
export function resizePod(state: PodState, node: corev1.Node | undefined, others: () => readonly corev1.Pod[], step: Step): void {
  const { pod } = step;
  const isCompleted = state.resizing !== undefined && isObserved(state.resizing, state, step.nowMs);
  if (isCompleted) state.resizing = undefined;
  if (state.isFinished || state.stopping) return;
  if (isCompleted) step.event('Normal', 'ResizeCompleted', completionMessage(withAllocated(pod, state)));
  for (const [{ name, resources = {} }] of containersOf(pod)) if (!state.allocated.has(name)) state.allocated.set(name, resources);
  const changed = changedContainers(pod, state);
  state.resize = changed.length === 0 || !node ? undefined : pendingResize(pod, node, others());
  state.resizePendingMs = state.resize && (state.resizePendingMs ?? step.nowMs);
  if (state.resize?.reason === 'Deferred') step.wakeAt(step.nowMs + retryMs);
  if (!state.resize && changed.length > 0) {
    const former = new Map(state.resizing?.former);
    for (const container of changed) former.set(container.name, allocate(container, state, step));
    state.resizing = { generation: pod.metadata.generation ?? 0, observedMs: step.nowMs + observationMs, former };
  }
  if (state.resizing) step.wakeAt(step.nowMs + observationMs);
}

/** The containers whose resources of the spec are not allocated. */
const changedContainers = (pod: corev1.Pod, { allocated }: Pick<PodState, 'allocated'>): readonly corev1.Container[] =>
  containersOf(pod).flatMap(([container, role]) => {
    const { name, resources = {} } = container;
    const before = role === 'ephemeral' ? undefined : allocated.get(name);
    return before && !isEqual(before, resources) ? [container] : [];
  });

/** A pod of a node with its state. */
export interface NodePod {
  readonly pod: corev1.Pod;
  readonly state: PodState;
}

/**
 * The other pods of a node with their allocated resources, as they are when the pod is resized: resizes that come before it are made first
 * when they fit. Cf. pkg/kubelet/allocation retryPendingResizes.
 */
export function othersBeforeResize(resized: NodePod, others: readonly NodePod[], node: corev1.Node): readonly corev1.Pod[] {
  const former = withAllocated(resized.pod, resized.state);
  const allocated = new Map(others.map((one) => [one, withAllocated(one.pod, one.state)]));
  const isBefore = (one: NodePod): boolean => changedContainers(one.pod, one.state).length > 0 && compareResizes(one, resized) < 0;
  for (const one of others.filter(isBefore).sort(compareResizes)) {
    const rest = [...allocated].flatMap(([key, pod]) => (key === one ? [] : [pod]));
    if (!pendingResize(one.pod, node, [...rest, former])) allocated.set(one, one.pod);
  }
  return [...allocated.values()];
}

/** Resizes that do not increase requests are first, then those of pods of higher priority, Guaranteed pods, and older ones. Cf. sortPendingResizes. */
function compareResizes(a: NodePod, b: NodePod): number {
  return (
    Number(isIncreasing(a)) - Number(isIncreasing(b)) ||
    (b.pod.spec.priority ?? 0) - (a.pod.spec.priority ?? 0) ||
    Number(b.pod.status.qosClass === 'Guaranteed') - Number(a.pod.status.qosClass === 'Guaranteed') ||
    (a.state.resizePendingMs ?? Number.MAX_VALUE) - (b.state.resizePendingMs ?? Number.MAX_VALUE)
  );
}

function isIncreasing({ pod, state }: NodePod): boolean {
  const [before, after] = [withAllocated(pod, state), pod].map((one) => podRequests(withoutStatus(one)));
  return ['cpu', 'memory'].some((resource) => (after?.get(resource) ?? 0) > (before?.get(resource) ?? 0));
}

/** Only the spec counts: the status has what the pod had before. */
const withoutStatus = (pod: corev1.Pod): corev1.Pod => ({ ...pod, status: {} as corev1.PodStatus });

function allocate(container: corev1.Container, state: PodState, step: Step): FormerContainer {
  const { name, resources = {} } = container;
  const before = state.allocated.get(name) ?? {};
  const actual = state.resizing?.former.get(name)?.resources ?? before;
  state.allocated.set(name, resources);
  const known = stateOf(state, name);
  // The back-off is that of a container with certain resources. Cf. pkg/kubelet/kuberuntime GetBackoffKey.
  if (known) known.crashes = new Backoff();
  const run = known?.run;
  const isRestarted = requiresRestart(container, before);
  if (known && run && isRestarted) {
    run.isReplaced = true;
    killContainer(container, known, `Container ${name} resize requires restart`, step);
  } else run?.live?.resize(resources);
  return { resources: actual, endingRun: isRestarted ? run?.id : undefined };
}

/** Whether the containers have the allocated resources. Cf. IsPodResizeInProgress. */
function isObserved({ observedMs, former }: ResizeInProgress, state: PodState, nowMs: number): boolean {
  const isRestarted = ([name, { endingRun }]: readonly [string, FormerContainer]): boolean => {
    const run = stateOf(state, name)?.run;
    return endingRun === undefined || (run !== undefined && run.id !== endingRun);
  };
  return state.isFinished || (nowMs >= observedMs && [...former].every(isRestarted));
}

const stateOf = ({ containers }: PodState, name: string): ContainerState | undefined =>
  containers.find((container) => container.name === name);

/** The pod with its allocated resources, which count on its node. */
export function withAllocated(pod: corev1.Pod, { allocated }: Pick<PodState, 'allocated'>): corev1.Pod {
  const own = (list: readonly corev1.Container[]): readonly corev1.Container[] =>
    list.map((container) => ({ ...container, resources: allocated.get(container.name) ?? container.resources ?? {} }));
  const { containers, initContainers } = pod.spec;
  return {
    ...pod,
    spec: { ...pod.spec, containers: own(containers ?? []), ...(initContainers ? { initContainers: own(initContainers) } : {}) },
  };
}

/** Cf. podResizeCompletionMsg. */
function completionMessage({ spec: { initContainers, containers } }: corev1.Pod): string {
  const summary = (list: readonly corev1.Container[]): readonly object[] =>
    list.map(({ name, resources: { limits, requests } = {} }) => ({
      name,
      resources: { limits: sorted(limits), requests: sorted(requests) },
    }));
  const ofInits = initContainers?.length ? { initContainers: summary(initContainers) } : {};
  return `Pod resize completed: ${JSON.stringify({ ...ofInits, containers: summary(containers ?? []) })}`;
}

type Amounts = Readonly<Record<string, string>>;

const sorted = (amounts: Amounts | undefined): Amounts | undefined =>
  amounts && Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Cf. canResizePod. */
export function pendingResize(pod: corev1.Pod, node: corev1.Node, others: readonly corev1.Pod[]): PendingResize | undefined {
  const wanted = withoutStatus(pod);
  const requests = podRequests(wanted);
  for (const resource of ['memory', 'cpu']) {
    const capacity = amountOf(resource, node.status.allocatable?.[resource] ?? '0');
    const requested = requests.get(resource) ?? 0;
    const amounts = `${resource}, requested: ${requested}, capacity: ${capacity}`;
    if (requested > capacity) return { reason: 'Infeasible', message: `Node didn't have enough capacity: ${amounts}` };
  }
  const rejection = rejectionOf(wanted, node, others);
  return rejection && { reason: 'Deferred', message: rejection.message };
}

const isEqual = (a: corev1.ResourceRequirements, b: corev1.ResourceRequirements): boolean =>
  a === b || JSON.stringify(amountsIn(a)) === JSON.stringify(amountsIn(b));

const amountsIn = ({ requests = {}, limits = {} }: corev1.ResourceRequirements): object => [sorted(requests), sorted(limits)];

/** Whether a changed resource has the resize policy RestartContainer. */
function requiresRestart({ resizePolicy = [], resources = {} }: corev1.Container, before: corev1.ResourceRequirements): boolean {
  return resizePolicy.some(({ resourceName, restartPolicy }) => {
    const part = ({ requests = {}, limits = {} }: corev1.ResourceRequirements): string =>
      `${requests[resourceName]} ${limits[resourceName]}`;
    return restartPolicy === 'RestartContainer' && part(before) !== part(resources);
  });
}
