import { repelsPods, toleratesTaint, untoleratedTaint } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { actions, nodeHint } from '../framework/cluster-events.ts';
import { StateKey } from '../framework/cycle-state.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { normalizeByMaximum } from '../framework/scores.ts';
import { unresolvable } from '../framework/status.ts';

const refusal = unresolvable('node(s) had untolerated taint(s)');
/** The tolerations that apply to PreferNoSchedule. */
const preferring = new StateKey<readonly corev1.Toleration[]>('TaintToleration');
const noTaints: readonly corev1.Taint[] = [];
const noTolerations: readonly corev1.Toleration[] = [];

function hasUntoleratedTaint(node: corev1.Node, pod: corev1.Pod): boolean {
  return untoleratedTaint(node.spec.taints ?? noTaints, pod.spec.tolerations ?? noTolerations, repelsPods) !== undefined;
}

/** Refuses nodes with taints that the pod does not tolerate. Cf. plugins/tainttoleration. */
export const taintToleration: PluginFactory = () => ({
  name: 'TaintToleration',
  events: [
    {
      resource: 'Node',
      actions: actions.add | actions.updateNodeTaint,
      hint: nodeHint(({ pod }, node, old) => (old === undefined || hasUntoleratedTaint(old, pod)) && !hasUntoleratedTaint(node, pod)),
    },
    { resource: 'UnscheduledPod', actions: actions.updatePodToleration },
  ],
  filter: (_, { pod }, { node }) => (node.spec.taints && hasUntoleratedTaint(node, pod) ? refusal : undefined),
  preScore(state, { pod }) {
    state.write(
      preferring,
      (pod.spec.tolerations ?? noTolerations).filter(({ effect = '' }) => effect === '' || effect === 'PreferNoSchedule'),
    );
    return undefined;
  },
  /** The number of PreferNoSchedule taints that the pod does not tolerate. */
  score(state, _, { node }) {
    const tolerations = state.read(preferring) ?? noTolerations;
    let count = 0;
    for (const taint of node.spec.taints ?? noTaints) {
      if (taint.effect === 'PreferNoSchedule' && !tolerations.some((one) => toleratesTaint(one, taint))) count++;
    }
    return count;
  },
  normalizeScore: (_state, scores) => normalizeByMaximum(scores, true),
});
