import type { Labels } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import { actions, nodeHint, podHint } from '../../framework/cluster-events.ts';
import { StateKey } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { type Handle, maxNodeScore, type NodeScores, type PluginFactory } from '../../framework/plugin.ts';
import { type AffinityTerm, matchesTerm, PodInfo } from '../../framework/pod-info.ts';
import { skip, unresolvable, unschedulable } from '../../framework/status.ts';
import { TopologyCounts } from './topology-counts.ts';

const affinityRefusal = unresolvable("node(s) didn't match pod affinity rules");
const antiAffinityRefusal = unschedulable("node(s) didn't match pod anti-affinity rules");
const existingRefusal = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

/** InterPodAffinityArgs. */
interface Args {
  readonly hardPodAffinityWeight?: number;
  readonly ignorePreferredTermsOfExistingPods?: boolean;
}

/** Numbers of matching pods by topology. */
interface State {
  /** Existing pods whose anti-affinity matches the pod. */
  readonly existingAntiAffinity: TopologyCounts;
  /** Existing pods that all terms of the pod's affinity match. */
  readonly affinity: TopologyCounts;
  readonly antiAffinity: TopologyCounts;
  readonly namespaceLabels: Labels;
}

const counts = new StateKey<State>('InterPodAffinity/filter', (state) => ({
  ...state,
  existingAntiAffinity: state.existingAntiAffinity.clone(),
  affinity: state.affinity.clone(),
  antiAffinity: state.antiAffinity.clone(),
}));

const topologyScores = new StateKey<TopologyCounts>('InterPodAffinity/score');

/** Refuses and scores nodes by the pods in their topology. Cf. plugins/interpodaffinity. */
export const interPodAffinity: PluginFactory = (handle, args) => {
  const { hardPodAffinityWeight = 1, ignorePreferredTermsOfExistingPods = false } = (args ?? {}) as Args;
  const count = counter(handle);
  return {
    name: 'InterPodAffinity',
    events: [
      {
        resource: 'AssignedPod',
        actions: actions.add | actions.delete | actions.updatePodLabel,
        hint: podHint((pod, current, old) => mayHelp(pod, current && new PodInfo(current), old && new PodInfo(old))),
      },
      { resource: 'UnscheduledPod', actions: actions.updatePodLabel },
      { resource: 'Node', actions: actions.add | actions.updateNodeLabel, hint: nodeHint(changesDomain) },
    ],
    preFilter(state, pod, nodes) {
      const data: State = {
        existingAntiAffinity: new TopologyCounts(),
        affinity: new TopologyCounts(),
        antiAffinity: new TopologyCounts(),
        namespaceLabels: handle.namespaceLabels(pod.namespace),
      };
      for (const node of handle.snapshot.withRequiredAntiAffinity()) {
        for (const existing of node.podsWithRequiredAntiAffinity) countExisting(data, { pod, existing, node, change: 1 });
      }
      const hasTerms = pod.requiredAffinity.length > 0 || pod.requiredAntiAffinity.length > 0;
      if (hasTerms) for (const node of nodes) for (const existing of node.pods.values()) count(data, { pod, existing, node, change: 1 });
      if (!hasTerms && data.existingAntiAffinity.isEmpty) return { status: skip };
      state.write(counts, data);
      return undefined;
    },
    addPod(state, pod, existing, node) {
      const data = state.read(counts);
      if (!data) return;
      countExisting(data, { pod, existing, node, change: 1 });
      count(data, { pod, existing, node, change: 1 });
    },
    removePod(state, pod, existing, node) {
      const data = state.read(counts);
      if (!data) return;
      countExisting(data, { pod, existing, node, change: -1 });
      count(data, { pod, existing, node, change: -1 });
    },
    filter(state, pod, node) {
      const data = state.read(counts);
      if (!data) return undefined;
      if (!satisfiesAffinity(data, pod, node)) return affinityRefusal;
      if (pod.requiredAntiAffinity.some(({ topologyKey }) => data.antiAffinity.at(topologyKey, node.labels) > 0))
        return antiAffinityRefusal;
      return data.existingAntiAffinity.matchesAny(node.labels) ? existingRefusal : undefined;
    },
    preScore(state, pod) {
      const hasPreferences = pod.preferredAffinity.length > 0 || pod.preferredAntiAffinity.length > 0;
      if (ignorePreferredTermsOfExistingPods && !hasPreferences) return skip;
      const scores = new TopologyCounts();
      const score = scorer(handle, scores, { hardPodAffinityWeight, ignorePreferredTermsOfExistingPods });
      for (const node of hasPreferences ? handle.snapshot.list() : handle.snapshot.withAffinity())
        for (const existing of hasPreferences ? node.pods.values() : node.podsWithAffinity) score(pod, existing, node);
      if (scores.isEmpty) return skip;
      state.write(topologyScores, scores);
      return undefined;
    },
    score: (state, _pod, { labels }) => state.read(topologyScores)?.sum(labels) ?? 0,
    normalizeScore: (_state, scores) => normalizeByRange(scores),
  };
};

interface Existing {
  readonly pod: PodInfo;
  readonly existing: PodInfo;
  readonly node: NodeInfo;
  readonly change: 1 | -1;
}

/** Counts an existing pod whose anti-affinity matches the pod. */
function countExisting({ existingAntiAffinity, namespaceLabels }: State, { pod, existing, node, change }: Existing): void {
  for (const term of existing.requiredAntiAffinity) {
    if (matchesTerm(term, pod, namespaceLabels)) existingAntiAffinity.add(term.topologyKey, node.labels, change);
  }
}

/** Counts an existing pod that the terms of the pod match. */
function counter(handle: Handle): (state: State, existing: Existing) => void {
  return ({ affinity, antiAffinity }, { pod, existing, node, change }) => {
    const labels = handle.namespaceLabels(existing.namespace);
    if (pod.requiredAffinity.length > 0 && pod.requiredAffinity.every((term) => matchesTerm(term, existing, labels))) {
      for (const { topologyKey } of pod.requiredAffinity) affinity.add(topologyKey, node.labels, change);
    }
    for (const term of pod.requiredAntiAffinity) {
      if (matchesTerm(term, existing, labels)) antiAffinity.add(term.topologyKey, node.labels, change);
    }
  };
}

/** The first pod of a group that has affinity to itself fits anywhere with the topology. Cf. satisfyPodAffinity. */
function satisfiesAffinity({ affinity, namespaceLabels }: State, pod: PodInfo, { labels }: NodeInfo): boolean {
  let arePodsPresent = true;
  for (const { topologyKey } of pod.requiredAffinity) {
    if (labels[topologyKey] === undefined) return false;
    if (affinity.at(topologyKey, labels) <= 0) arePodsPresent = false;
  }
  if (arePodsPresent) return true;
  return affinity.isEmpty && pod.requiredAffinity.every((term) => matchesTerm(term, pod, namespaceLabels));
}

type Preferences = Required<Args>;

/** Adds the weights of an existing pod to the scores of its topology. Cf. processExistingPod. */
function scorer(
  handle: Handle,
  scores: TopologyCounts,
  { hardPodAffinityWeight, ignorePreferredTermsOfExistingPods }: Preferences,
): (pod: PodInfo, existing: PodInfo, node: NodeInfo) => void {
  return (pod, existing, { labels }) => {
    const add = (term: AffinityTerm, weight: number, matched: PodInfo): void => {
      if (weight !== 0 && matchesTerm(term, matched, handle.namespaceLabels(matched.namespace)))
        scores.add(term.topologyKey, labels, weight);
    };
    for (const term of pod.preferredAffinity) add(term, term.weight, existing);
    for (const term of pod.preferredAntiAffinity) add(term, -term.weight, existing);
    for (const term of existing.requiredAffinity) add(term, hardPodAffinityWeight, pod);
    if (ignorePreferredTermsOfExistingPods) return;
    for (const term of existing.preferredAffinity) add(term, term.weight, pod);
    for (const term of existing.preferredAntiAffinity) add(term, -term.weight, pod);
  };
}

function normalizeByRange(scores: NodeScores): void {
  const min = scores.reduce((least, score) => Math.min(least, score), Number.POSITIVE_INFINITY);
  const max = scores.reduce((largest, score) => Math.max(largest, score), Number.NEGATIVE_INFINITY);
  const range = max - min;
  for (const [index, score] of scores.entries()) scores[index] = range > 0 ? Math.trunc(maxNodeScore * ((score - min) / range)) : 0;
}

/**
 * Whether the change of another pod may help: it has begun to match all terms of the affinity, or no longer matches those of the anti-affinity.
 * As upstream, this neither considers the other pod's anti-affinity nor the labels of namespaces. Cf. isSchedulableAfterPodChange.
 */
function mayHelp(pod: PodInfo, current: PodInfo | undefined, old: PodInfo | undefined): boolean {
  const isMatched = (terms: readonly AffinityTerm[], other: PodInfo | undefined): boolean =>
    other !== undefined && terms.length > 0 && terms.every((term) => matchesTerm(term, other, {}));
  const { requiredAffinity, requiredAntiAffinity } = pod;
  if (isMatched(requiredAffinity, current) && !isMatched(requiredAffinity, old)) return true;
  return isMatched(requiredAntiAffinity, old) && !isMatched(requiredAntiAffinity, current);
}

/**
 * Whether a node joins a domain of the affinity, or leaves one of the anti-affinity; any new node may lie outside of the latter.
 * Cf. isSchedulableAfterNodeChange.
 */
function changesDomain(
  { requiredAffinity, requiredAntiAffinity }: PodInfo,
  { metadata }: corev1.Node,
  old: corev1.Node | undefined,
): boolean {
  if (!old && requiredAntiAffinity.length > 0) return true;
  const domains = ({ topologyKey }: AffinityTerm): readonly [after: string | undefined, before: string | undefined] => [
    metadata.labels?.[topologyKey],
    old?.metadata.labels?.[topologyKey],
  ];
  const isLeft = (term: AffinityTerm): boolean => {
    const [after, before] = domains(term);
    return before !== undefined && after !== before;
  };
  const isJoined = (term: AffinityTerm): boolean => {
    const [after, before] = domains(term);
    return after !== undefined && after !== before;
  };
  return requiredAffinity.some(isJoined) || requiredAntiAffinity.some(isLeft);
}
