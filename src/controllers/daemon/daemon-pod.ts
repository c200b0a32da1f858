import type { PartialObject } from '../../client/index.ts';
import type { Product } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { podRevisionLabel } from '../history/index.ts';
import { newControllerReference, podFromTemplate } from '../pods/index.ts';

/** The annotation with the generation of the template, which the server sets. */
const generationAnnotation = 'deprecated.daemonset.template.generation';
const generationLabel = 'pod-template-generation';

const tolerated: readonly (readonly [condition: string, effect: string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
];

/** The field by which a pod is bound to a node before it is scheduled. */
const nameField = 'metadata.name';

type Rename = Pick<Product, 'rename'>['rename'];

/** The pods of daemon sets tolerate the conditions of their nodes. Cf. AddOrUpdateDaemonPodTolerations. */
export function withDaemonTolerations(set: appsv1.DaemonSet, rename: Rename): appsv1.DaemonSet {
  const { template } = set.spec;
  return { ...set, spec: { ...set.spec, template: { ...template, spec: addTolerations(template.spec, rename) } } };
}

function addTolerations(spec: corev1.PodSpec, rename: Rename): corev1.PodSpec {
  const conditions = spec.hostNetwork === true ? [...tolerated, ['network-unavailable', 'NoSchedule'] as const] : tolerated;
  const added = conditions.map(([condition, effect]) => ({ key: rename(`node.kubernetes.io/${condition}`), operator: 'Exists', effect }));
  const given = (spec.tolerations ?? []).map((toleration) => added.find((one) => isSameToleration(one, toleration)) ?? toleration);
  const missing = added.filter((one) => !given.some((toleration) => isSameToleration(one, toleration)));
  return { ...spec, tolerations: [...given, ...missing] };
}

/** Cf. Toleration.MatchToleration: tolerationSeconds is ignored. */
function isSameToleration(a: corev1.Toleration, b: corev1.Toleration): boolean {
  return a.key === b.key && a.effect === b.effect && a.operator === b.operator && (a.value ?? '') === (b.value ?? '');
}

/**
 * A pod of a daemon set, which only that node fits. The template of the set has the tolerations of daemon pods. Cf. CreatePodTemplate,
 * ReplaceDaemonSetPodNodeNameNodeAffinity.
 */
export function newDaemonPod(set: appsv1.DaemonSet, node: string, hash: string): PartialObject<corev1.Pod> {
  const { metadata, spec } = set.spec.template;
  const generation = set.metadata.annotations?.[generationAnnotation];
  const labels = {
    ...metadata.labels,
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
    ...(hash === '' ? {} : { [podRevisionLabel]: hash }),
  };
  const template = {
    metadata: { ...metadata, labels },
    spec: { ...spec, affinity: bindToNode(spec.affinity, node) },
  };
  return podFromTemplate(template, set.metadata.name ?? '', newControllerReference(set));
}

function bindToNode(affinity: corev1.Affinity | undefined, node: string): corev1.Affinity {
  const matchFields = [{ key: nameField, operator: 'In', values: [node] }];
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: [{ matchFields }] };
  return { ...affinity, nodeAffinity: { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution } };
}

/** The node of a pod, or the one that it will be bound to. Cf. GetTargetNodeName. */
export function targetNode({ spec }: Pick<corev1.Pod, 'spec'>): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field = terms.flatMap(({ matchFields = [] }) => matchFields).find(({ key, operator }) => key === nameField && operator === 'In');
  return field?.values?.length === 1 ? field.values[0] : undefined;
}

/** Whether a pod has the template of the revision. */
export function isUpdated({ metadata }: Pick<corev1.Pod, 'metadata'>, hash: string): boolean {
  return hash !== '' && metadata.labels?.[podRevisionLabel] === hash;
}
