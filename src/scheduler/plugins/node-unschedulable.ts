import { toleratesTaint } from '../../component-helpers/index.ts';
import { actions, nodeHint, podHint } from '../framework/cluster-events.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { unresolvable } from '../framework/status.ts';

const refusal = unresolvable('node(s) were unschedulable');

/** Refuses nodes that are cordoned. Cf. plugins/nodeunschedulable. */
export const nodeUnschedulable: PluginFactory = ({ product }) => {
  const taint = { key: product.rename('node.kubernetes.io/unschedulable'), effect: 'NoSchedule' };
  const name = 'NodeUnschedulable';
  return {
    name,
    events: [
      {
        resource: 'Node',
        actions: actions.add | actions.updateNodeTaint,
        hint: nodeHint((_, node, old) => node.spec.unschedulable !== true && (old === undefined || old.spec.unschedulable === true)),
      },
      {
        resource: 'UnscheduledPod',
        actions: actions.updatePodToleration,
        hint: podHint((_, pod) => (pod?.spec.tolerations ?? []).some((one) => toleratesTaint(one, taint))),
      },
    ],
    filter: (_, { pod }, { node }) =>
      node.spec.unschedulable === true && !(pod.spec.tolerations ?? []).some((one) => toleratesTaint(one, taint)) ? refusal : undefined,
  };
};
