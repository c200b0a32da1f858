import { controllerOf, matchesNode, type RequiredNodeAffinity, repelsPods, untoleratedTaint } from '../../../component-helpers/index.ts';
import { type LabelRequirements, type Labels, labelSelectorRequirements } from '../../../meta/index.ts';
import {
  appsv1ReplicaSets,
  appsv1StatefulSets,
  type corev1,
  corev1ReplicationControllers,
  corev1Services,
  type metav1,
} from '../../../schema/api/index.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { Handle } from '../../framework/plugin.ts';
import { type PodInfo, type Selector, selectorOf, selects } from '../../framework/pod-info.ts';

export type WhenUnsatisfiable = 'DoNotSchedule' | 'ScheduleAnyway';

/** PodTopologySpreadArgs. */
export interface SpreadArgs {
  readonly defaultingType?: 'System' | 'List';
  readonly defaultConstraints?: readonly corev1.TopologySpreadConstraint[];
}

/** A constraint of a pod, with its parsed selector. */
export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: Selector;
  readonly minDomains: number;
  /** Only nodes count that match the node affinity of the pod. */
  readonly honorsAffinity: boolean;
  /** Only nodes count whose taints the pod tolerates. */
  readonly honorsTaints: boolean;
}

/** The constraints of a pod; undefined when it has none at all, so that the defaults apply. */
export function podConstraints({ pod, labels }: PodInfo, when: WhenUnsatisfiable): readonly Constraint[] | undefined {
  const { topologySpreadConstraints: constraints = [] } = pod.spec;
  if (constraints.length === 0) return undefined;
  return constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when).map((one) => parseConstraint(one, labels));
}

function parseConstraint(constraint: corev1.TopologySpreadConstraint, labels: Labels): Constraint {
  const { maxSkew, topologyKey, labelSelector, minDomains = 1, nodeAffinityPolicy, nodeTaintsPolicy, matchLabelKeys = [] } = constraint;
  const fromKeys = matchLabelKeys.flatMap((key): LabelRequirements => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator: 'in', values: [value] }];
  });
  const selector = selectorOf(labelSelector);
  return {
    maxSkew,
    topologyKey,
    selector: selector && [...selector, ...fromKeys],
    minDomains,
    honorsAffinity: nodeAffinityPolicy !== 'Ignore',
    honorsTaints: nodeTaintsPolicy === 'Honor',
  };
}

/** Number of pods of a namespace that a selector matches; an empty selector matches none here. Cf. countPodsMatchSelector. */
export function countMatching({ pods }: NodeInfo, namespace: string, selector: Selector): number {
  if (!selector || selector.length === 0) return 0;
  let count = 0;
  for (const { pod, namespace: own, labels } of pods.values()) {
    if (own === namespace && pod.metadata.deletionTimestamp === undefined && selects(selector, labels)) count++;
  }
  return count;
}

/** Whether a node has all topologies of the constraints. */
export function isInAllTopologies({ labels = {} }: { readonly labels?: Labels }, constraints: readonly Constraint[]): boolean {
  return constraints.every(({ topologyKey }) => labels[topologyKey] !== undefined);
}

interface Inclusion {
  readonly pod: PodInfo;
  readonly affinity: RequiredNodeAffinity | undefined;
  readonly node: NodeInfo;
}

/** Whether the pods of a node count. Cf. matchNodeInclusionPolicies. */
export function includesNode({ honorsAffinity, honorsTaints }: Constraint, { pod, affinity, node }: Inclusion): boolean {
  if (honorsAffinity && affinity && !matchesNode(affinity, node)) return false;
  if (!honorsTaints) return true;
  return untoleratedTaint(node.node.spec.taints ?? [], pod.pod.spec.tolerations ?? [], repelsPods) === undefined;
}

/** The default constraints of a pod. */
export interface DefaultConstraints {
  (pod: PodInfo, when: WhenUnsatisfiable): readonly Constraint[];
  readonly isSystem: boolean;
}

/** Default constraints select the pods of the services and the owner of a pod. Cf. buildDefaultConstraints. */
export function createDefaultConstraints(handle: Handle, { defaultingType, defaultConstraints = [] }: SpreadArgs): DefaultConstraints {
  const { product } = handle;
  const isSystem = defaultingType !== 'List';
  const system: readonly corev1.TopologySpreadConstraint[] = [
    { topologyKey: product.rename('kubernetes.io/hostname'), whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
    { topologyKey: product.rename('topology.kubernetes.io/zone'), whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
  ];
  const constraints = isSystem ? system : defaultConstraints;
  const selectorFor = createOwnerSelector(handle);
  const build = (pod: PodInfo, when: WhenUnsatisfiable): readonly Constraint[] => {
    const relevant = constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when);
    if (relevant.length === 0) return [];
    const selector = selectorFor(pod);
    if (selector.length === 0) return [];
    return relevant.map((constraint) => ({ ...parseConstraint(constraint, pod.labels), selector }));
  };
  return Object.assign(build, { isSystem });
}

/** The requirements of the services and the controller of a pod. Cf. plugins/helper DefaultSelector. */
function createOwnerSelector(handle: Handle): (pod: PodInfo) => LabelRequirements {
  const services = handle.store(corev1Services);
  services.addIndex('namespace', ({ metadata }) => [metadata.namespace ?? '']);
  const replicaSets = handle.store(appsv1ReplicaSets);
  const statefulSets = handle.store(appsv1StatefulSets);
  const replicationControllers = handle.store(corev1ReplicationControllers);
  return ({ pod, namespace, labels }) => {
    const equal: Record<string, string> = {};
    for (const { spec } of services.byIndex('namespace', namespace)) {
      const selector = Object.entries(spec.selector ?? {});
      if (selector.length > 0 && selector.every(([key, value]) => labels[key] === value)) Object.assign(equal, spec.selector);
    }
    const owner = controllerOf(pod);
    const key = `${namespace}/${owner?.name}`;
    let own: metav1.LabelSelector | null | undefined;
    if (owner?.kind === 'ReplicationController') Object.assign(equal, replicationControllers.get(key)?.spec.selector);
    else if (owner?.kind === 'ReplicaSet') own = replicaSets.get(key)?.spec.selector;
    else if (owner?.kind === 'StatefulSet') own = statefulSets.get(key)?.spec.selector;
    return [...labelSelectorRequirements({ matchLabels: equal }), ...((own && selectorOf(own)) ?? [])];
  };
}
