import {
  allowedNodeNames,
  matchesNode,
  matchesNodeTerms,
  type NodeTerms,
  parseNodeSelector,
  parseNodeTerm,
  type RequiredNodeAffinity,
  requiredNodeAffinity,
} from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { actions, nodeHint } from '../framework/cluster-events.ts';
import { StateKey } from '../framework/cycle-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { normalizeByMaximum } from '../framework/scores.ts';
import { skip, unresolvable } from '../framework/status.ts';

const refusal = unresolvable("node(s) didn't match Pod's node affinity/selector");
const enforcedRefusal = unresolvable("node(s) didn't match scheduler-enforced node affinity");
const conflict = unresolvable('pod affinity terms conflict');

const required = new StateKey<RequiredNodeAffinity | undefined>('NodeAffinity/required');
const preferred = new StateKey<readonly WeightedTerms[]>('NodeAffinity/preferred');

interface WeightedTerms {
  readonly terms: NodeTerms;
  readonly weight: number;
}

/** NodeAffinityArgs. */
interface Args {
  readonly addedAffinity?: corev1.NodeAffinity;
}

function weightedTerms({ preferredDuringSchedulingIgnoredDuringExecution: terms = [] }: corev1.NodeAffinity): readonly WeightedTerms[] {
  return terms.map(({ weight, preference }) => ({ weight, terms: parseNodeTerm(preference) })).filter(({ weight }) => weight !== 0);
}

/** Refuses and scores nodes by the node selector and the node affinity of the pod. Cf. plugins/nodeaffinity. */
export const nodeAffinity: PluginFactory = (_, args) => {
  const { addedAffinity = {} } = (args ?? {}) as Args;
  const addedSelector = addedAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  const added = addedSelector && parseNodeSelector(addedSelector);
  const addedPreferences = weightedTerms(addedAffinity);
  const fits = (pod: corev1.Pod, { metadata }: corev1.Node): boolean => {
    const node = { name: metadata.name ?? '', labels: metadata.labels ?? {} };
    const affinity = requiredNodeAffinity(pod.spec);
    return (!added || matchesNodeTerms(added, node)) && (!affinity || matchesNode(affinity, node));
  };
  return {
    name: 'NodeAffinity',
    events: [
      {
        resource: 'Node',
        actions: actions.add | actions.updateNodeLabel,
        hint: nodeHint(({ pod }, node, old) => fits(pod, node) && (old === undefined || !fits(pod, old))),
      },
    ],
    preFilter(state, { pod }) {
      const affinity = requiredNodeAffinity(pod.spec);
      if (!affinity && !added) return { status: skip };
      state.write(required, affinity);
      const nodes = allowedNodeNames(pod);
      return nodes?.size === 0 ? { status: conflict } : { nodes };
    },
    filter(state, _pod, node) {
      if (added && !matchesNodeTerms(added, node)) return enforcedRefusal;
      const affinity = state.read(required);
      return affinity && !matchesNode(affinity, node) ? refusal : undefined;
    },
    preScore(state, { pod }) {
      const own = pod.spec.affinity?.nodeAffinity;
      const terms = [...addedPreferences, ...(own ? weightedTerms(own) : [])];
      if (terms.length === 0) return skip;
      state.write(preferred, terms);
      return undefined;
    },
    score: (state, _pod, node) => sumOfWeights(state.read(preferred) ?? [], node),
    normalizeScore: (_state, scores) => normalizeByMaximum(scores, false),
  };
};

function sumOfWeights(preferences: readonly WeightedTerms[], node: NodeInfo): number {
  let sum = 0;
  for (const { terms, weight } of preferences) if (matchesNodeTerms(terms, node)) sum += weight;
  return sum;
}
