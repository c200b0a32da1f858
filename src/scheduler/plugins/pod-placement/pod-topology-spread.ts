import { type RequiredNodeAffinity, requiredNodeAffinity } from '../../../component-helpers/index.ts';
import { sameJson } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import { actions, podHint } from '../../framework/cluster-events.ts';
import { StateKey } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { maxNodeScore, type NodeScores, type PluginFactory } from '../../framework/plugin.ts';
import { type PodInfo, selects } from '../../framework/pod-info.ts';
import { skip, unresolvable, unschedulable } from '../../framework/status.ts';
import { DomainCounts } from './domain-counts.ts';
import {
  type Constraint,
  countMatching,
  createDefaultConstraints,
  includesNode,
  isInAllTopologies,
  podConstraints,
  type SpreadArgs,
} from './spread-constraints.ts';

const refusal = unschedulable("node(s) didn't match pod topology spread constraints");
const missingLabel = unresolvable("node(s) didn't match pod topology spread constraints (missing required label)");

interface FilterState {
  readonly constraints: readonly Constraint[];
  readonly affinity: RequiredNodeAffinity | undefined;
  readonly spreads: readonly Spread[];
}

/** The pods that a constraint counts. */
interface Spread {
  readonly constraint: Constraint;
  readonly counts: DomainCounts;
  /** Whether the pod itself counts: 1 or 0. */
  readonly own: number;
}

interface ScoreState {
  readonly constraints: readonly Constraint[];
  /** Nodes without the topologies. */
  readonly ignored: ReadonlySet<NodeInfo>;
  readonly counts: readonly Map<string, number>[];
  /** By constraint: the more domains, the larger. */
  readonly weights: readonly number[];
}

const filterState = new StateKey<FilterState>('PodTopologySpread/filter', (state) => ({
  ...state,
  spreads: state.spreads.map((spread) => ({ ...spread, counts: spread.counts.clone() })),
}));
const scoreState = new StateKey<ScoreState>('PodTopologySpread/score');

/** Spreads pods over topologies. Cf. plugins/podtopologyspread. */
export const podTopologySpread: PluginFactory = (handle, args) => {
  const defaults = createDefaultConstraints(handle, (args ?? {}) as SpreadArgs);
  const hostname = handle.product.rename('kubernetes.io/hostname');
  const constraintsOf = (pod: PodInfo): readonly Constraint[] => podConstraints(pod, 'DoNotSchedule') ?? defaults(pod, 'DoNotSchedule');

  const change = (state: FilterState | undefined, pod: PodInfo, changed: PodInfo, node: NodeInfo, by: 1 | -1): void => {
    if (!state || changed.namespace !== pod.namespace || !isInAllTopologies(node, state.constraints)) return;
    for (const { constraint, counts } of state.spreads) {
      if (!selects(constraint.selector, changed.labels) || !includesNode(constraint, { pod, affinity: state.affinity, node })) continue;
      counts.add(node.labels[constraint.topologyKey] ?? '', by);
    }
  };

  return {
    name: 'PodTopologySpread',
    events: [
      {
        resource: 'AssignedPod',
        actions: actions.add | actions.delete | actions.updatePodLabel,
        hint: podHint((pod, current, old) => isCountedAnew(pod.namespace, constraintsOf(pod), current, old)),
      },
      {
        resource: 'Node',
        actions: actions.add | actions.delete | actions.updateNodeLabel | actions.updateNodeTaint,
        hint: (pod, old, current) =>
          changesTopologies(constraintsOf(pod), current as corev1.Node | undefined, old as corev1.Node | undefined),
      },
      { resource: 'UnscheduledPod', actions: actions.updatePodLabel | actions.updatePodToleration },
    ],
    preFilter(state, pod, nodes) {
      const constraints = constraintsOf(pod);
      if (constraints.length === 0) return { status: skip };
      const affinity = requiredNodeAffinity(pod.pod.spec);
      const counted = nodes.filter((node) => isInAllTopologies(node, constraints));
      const spreads = constraints.map((constraint): Spread => {
        const own = selects(constraint.selector, pod.labels) ? 1 : 0;
        return { constraint, counts: countByTopology(constraint, { pod, affinity }, counted), own };
      });
      state.write(filterState, { constraints, affinity, spreads });
      return undefined;
    },
    addPod: (state, pod, added, node) => change(state.read(filterState), pod, added, node, 1),
    removePod: (state, pod, removed, node) => change(state.read(filterState), pod, removed, node, -1),
    filter(state, _pod, { labels }) {
      for (const { constraint, counts, own } of state.read(filterState)?.spreads ?? []) {
        const value = labels[constraint.topologyKey];
        if (value === undefined) return missingLabel;
        if (counts.at(value) + own - counts.minimum(constraint.minDomains) > constraint.maxSkew) return refusal;
      }
      return undefined;
    },
    preScore(state, pod, fitting) {
      const own = podConstraints(pod, 'ScheduleAnyway');
      const constraints = own ?? defaults(pod, 'ScheduleAnyway');
      if (constraints.length === 0) return skip;
      // With the defaults of the system, nodes need not be in all topologies.
      const requiresAll = own !== undefined || !defaults.isSystem;
      const ignored = new Set(fitting.filter((node) => requiresAll && !isInAllTopologies(node, constraints)));
      const ranked = fitting.filter((node) => !ignored.has(node));
      const domains = constraints.map(({ topologyKey }) => {
        if (topologyKey === hostname) return new Map<string, number>();
        return new Map(ranked.flatMap(({ labels }) => (labels[topologyKey] === undefined ? [] : [[labels[topologyKey], 0] as const])));
      });
      const weights = constraints.map(({ topologyKey }, index) =>
        Math.log((topologyKey === hostname ? ranked.length : (domains[index]?.size ?? 0)) + 2),
      );
      const affinity = requiredNodeAffinity(pod.pod.spec);
      if (domains.some(({ size }) => size > 0)) {
        for (const node of handle.snapshot.list()) {
          if (requiresAll && !isInAllTopologies(node, constraints)) continue;
          addToDomains(constraints, { pod, affinity }, node, domains);
        }
      }
      state.write(scoreState, { constraints, ignored, counts: domains, weights });
      return undefined;
    },
    score(state, pod, node) {
      const data = state.read(scoreState);
      if (!data || data.ignored.has(node)) return 0;
      let score = 0;
      for (const [index, { topologyKey, selector, maxSkew }] of data.constraints.entries()) {
        const value = node.labels[topologyKey];
        if (value === undefined) continue;
        const count = topologyKey === hostname ? countMatching(node, pod.namespace, selector) : (data.counts[index]?.get(value) ?? 0);
        score += count * (data.weights[index] ?? 0) + (maxSkew - 1);
      }
      return Math.round(score);
    },
    normalizeScore(state, scores, nodes) {
      const { ignored } = state.read(scoreState) ?? {};
      normalize(
        scores,
        nodes.map((node) => ignored?.has(node) ?? false),
      );
    },
  };
};

interface Counting {
  readonly pod: PodInfo;
  readonly affinity: RequiredNodeAffinity | undefined;
}

function countByTopology(constraint: Constraint, { pod, affinity }: Counting, nodes: readonly NodeInfo[]): DomainCounts {
  const counts = new DomainCounts();
  for (const node of nodes) {
    if (!includesNode(constraint, { pod, affinity, node })) continue;
    counts.add(node.labels[constraint.topologyKey] ?? '', countMatching(node, pod.namespace, constraint.selector));
  }
  return counts;
}

/** Adds the pods of a node to the domains of the fitting nodes. */
function addToDomains(
  constraints: readonly Constraint[],
  { pod, affinity }: Counting,
  node: NodeInfo,
  domains: readonly Map<string, number>[],
): void {
  for (const [index, constraint] of constraints.entries()) {
    const domain = domains[index];
    const value = node.labels[constraint.topologyKey];
    if (!domain || value === undefined || !domain.has(value)) continue;
    if (!includesNode(constraint, { pod, affinity, node })) continue;
    domain.set(value, (domain.get(value) ?? 0) + countMatching(node, pod.namespace, constraint.selector));
  }
}

/** Fewer matching pods are better. */
function normalize(scores: NodeScores, isIgnored: readonly boolean[]): void {
  const relevant = scores.filter((_, index) => !isIgnored[index]);
  const min = relevant.reduce((least, score) => Math.min(least, score), Number.POSITIVE_INFINITY);
  const max = relevant.reduce((largest, score) => Math.max(largest, score), 0);
  for (const [index, score] of scores.entries()) {
    if (isIgnored[index]) scores[index] = 0;
    else scores[index] = max === 0 ? maxNodeScore : Math.trunc((maxNodeScore * (max + min - score)) / max);
  }
}

/** Whether a constraint counts another pod, or no longer does. Cf. isSchedulableAfterPodChange. */
function isCountedAnew(
  namespace: string,
  constraints: readonly Constraint[],
  current: corev1.Pod | undefined,
  old: corev1.Pod | undefined,
): boolean {
  const counts = ({ selector }: Constraint, pod: corev1.Pod | undefined): boolean =>
    pod?.metadata.namespace === namespace && selects(selector, pod.metadata.labels ?? {});
  return constraints.some((constraint) => counts(constraint, current) !== counts(constraint, old));
}

/** Whether a change of a node may change the domains of the constraints. Cf. isSchedulableAfterNodeChange. */
function changesTopologies(constraints: readonly Constraint[], current: corev1.Node | undefined, old: corev1.Node | undefined): boolean {
  const isIncluded = (node: corev1.Node | undefined): boolean => node !== undefined && isInAllTopologies(node.metadata, constraints);
  if (isIncluded(current) !== isIncluded(old)) return true;
  if (!current || !old || !isIncluded(current)) return false;
  const hasMoved = constraints.some(({ topologyKey: key }) => current.metadata.labels?.[key] !== old.metadata.labels?.[key]);
  return hasMoved || !sameJson(current.spec.taints ?? [], old.spec.taints ?? []);
}
