import { toleratesTaint } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { actions, nodeHint, podHint } from '../framework/cluster-events.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { unresolvable } from '../framework/status.ts';

const refusal = unresolvable('node(s) were unschedulable');

/** Refuses nodes that are cordoned. Cf. plugins/nodeunschedulable. */
export const nodeUnschedulable: PluginFactory = ({ product }) => {
  const taint = { key: product.rename('node.kubernetes.io/unschedulable'), effect: 'NoSchedule' };
  const isTolerated = ({ spec: { tolerations = [] } }: corev1.Pod): boolean =>
    tolerations.some((toleration) => toleratesTaint(toleration, taint));
  return {
    name: 'NodeUnschedulable',
    events: [
      {
        resource: 'Node',
        actions: actions.add | actions.updateNodeTaint,
        hint: nodeHint((_, node, old) => node.spec.unschedulable !== true && (old === undefined || old.spec.unschedulable === true)),
      },
      {
        resource: 'UnscheduledPod',
        actions: actions.updatePodToleration,
        hint: podHint((_, pod) => pod !== undefined && isTolerated(pod)),
      },
    ],
    filter: (_, { pod }, { node }) => (node.spec.unschedulable === true && !isTolerated(pod) ? refusal : undefined),
  };
};
