import { sidecarsOf } from '../../component-helpers/index.ts';
import { formatTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

export interface Facts {
  readonly phase: string;
  readonly inits: readonly corev1.ContainerStatus[];
  readonly containers: readonly corev1.ContainerStatus[];
  readonly hasSandbox: boolean;
  /** A regular container has started at any time. */
  readonly hasBegun: boolean;
  /** Conditions before those of every pod. */
  readonly further: readonly (readonly [type: string, value: ConditionValue])[];
}

/** A condition without its times. */
export interface ConditionValue {
  readonly status: 'True' | 'False';
  /** Default: the generation of the pod. */
  readonly observedGeneration?: number;
  readonly reason?: string;
  readonly message?: string;
}

const yes: ConditionValue = { status: 'True' };

/** The conditions of a pod, in the order of a kubelet. Cf. pkg/kubelet/status generate.go. */
export function podConditions(pod: corev1.Pod, facts: Facts, nowMs: number): readonly corev1.PodCondition[] {
  const ready = containersReady(pod, facts);
  const values: readonly (readonly [type: string, value: ConditionValue])[] = [
    ...facts.further,
    ['PodReadyToStartContainers', facts.hasSandbox ? yes : { status: 'False' }],
    ['Initialized', initialized(pod, facts)],
    ['Ready', ready.status === 'True' ? gatesReady(pod) : ready],
    ['ContainersReady', ready],
    ['PodScheduled', yes],
  ];
  const { generation } = pod.metadata;
  return values.map(([type, value]) => {
    const before = pod.status.conditions?.find((condition) => condition.type === type);
    const now = formatTime(nowMs);
    const isOfResize = type.startsWith('PodResize');
    const isSame = before?.status === value.status && (!isOfResize || isSameResize(before, value));
    return {
      type,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...value,
      lastProbeTime: !isOfResize ? null : isSame && before.message === value.message ? before.lastProbeTime : now,
      lastTransitionTime: (isSame && before.lastTransitionTime) || now,
    };
  });
}

/** Cf. pkg/kubelet/status updatedPodResizeCondition, SetPodResizeInProgressCondition. */
const isSameResize = (before: corev1.PodCondition, { reason, observedGeneration = before.observedGeneration }: ConditionValue): boolean =>
  before.reason === reason && before.observedGeneration === observedGeneration;

const isNameOfSidecar = ({ spec }: corev1.Pod, name: string): boolean => sidecarsOf(spec).some((container) => container.name === name);

function initialized(pod: corev1.Pod, { phase, inits, hasBegun }: Facts): ConditionValue {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (hasBegun) return yes;
  const incomplete = inits.filter((one) => (isNameOfSidecar(pod, one.name) ? !one.started : !one.ready));
  if (incomplete.length === 0) return yes;
  const message = `containers with incomplete status: [${incomplete.map(({ name }) => name).join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}

function containersReady(pod: corev1.Pod, { phase, inits, containers }: Facts): ConditionValue {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const byName = new Map(containers.map((status) => [status.name, status]));
  const sidecars = inits.filter(({ name, ready }) => isNameOfSidecar(pod, name) && !ready).map(({ name }) => name);
  const mains = (pod.spec.containers ?? []).filter(({ name }) => !byName.get(name)?.ready).map(({ name }) => name);
  const unready = [...sidecars, ...mains];
  if (unready.length === 0) return yes;
  return { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
}

/** Conditions that other components set. */
function gatesReady({ spec, status }: corev1.Pod): ConditionValue {
  const problems = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = status.conditions?.find(({ type }) => type === conditionType);
    if (!condition) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    return condition.status === 'True'
      ? []
      : [`the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`];
  });
  return problems.length === 0 ? yes : { status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}
