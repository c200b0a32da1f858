import type { LabelOperator, Labels } from '../../meta/index.ts';
import { matchesLabels } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';

/** Whether a node should have a pod of a daemon set. */
export interface NodeEligibility {
  /** A pod is created when the node has none. */
  readonly shouldRun: boolean;
  /** An existing pod is not deleted. */
  readonly shouldContinue: boolean;
}

const never: NodeEligibility = { shouldRun: false, shouldContinue: false };

/**
 * The resources and conditions of the node do not matter. The template of the set has the tolerations of daemon pods. Cf.
 * pkg/controller/daemon NodeShouldRunDaemonPod.
 */
export function nodeEligibility({ metadata, spec }: Pick<corev1.Node, 'metadata' | 'spec'>, set: appsv1.DaemonSet): NodeEligibility {
  const pod = set.spec.template.spec;
  const { name = '', labels = {} } = metadata;
  if (pod.nodeName && pod.nodeName !== name) return never;
  if (!matchesAll(pod.nodeSelector ?? {}, labels) || !matchesAffinity(pod, name, labels)) return never;
  const { tolerations = [] } = pod;
  const isTolerated = (...effects: readonly string[]): boolean =>
    (spec.taints ?? []).every((taint) => !effects.includes(taint.effect) || tolerations.some((one) => tolerates(one, taint)));
  return { shouldRun: isTolerated('NoSchedule', 'NoExecute'), shouldContinue: isTolerated('NoExecute') };
}

function matchesAll(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** Cf. k8s.io/component-helpers nodeaffinity.GetRequiredNodeAffinity: any of the terms must match; an empty term matches no node. */
function matchesAffinity({ affinity }: Pick<corev1.PodSpec, 'affinity'>, name: string, labels: Labels): boolean {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return true;
  return (required.nodeSelectorTerms ?? []).some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length + matchFields.length === 0) return false;
    const fields = { 'metadata.name': name };
    return matchExpressions.every((one) => matches(one, labels)) && matchFields.every((one) => matches(one, fields));
  });
}

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

function matches({ key, operator, values = [] }: corev1.NodeSelectorRequirement, labels: Labels): boolean {
  const known = operators[operator];
  return known !== undefined && matchesLabels([{ key, operator: known, values }], labels);
}

/** Cf. Toleration.ToleratesTaint. */
function tolerates({ effect, key, operator, value }: corev1.Toleration, taint: corev1.Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === undefined || operator === '' || operator === 'Equal') && (value ?? '') === (taint.value ?? '');
}
