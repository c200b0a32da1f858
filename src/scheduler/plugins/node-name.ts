import { actions } from '../framework/cluster-events.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { unresolvable } from '../framework/status.ts';

const refusal = unresolvable("node(s) didn't match the requested node name");

/** Refuses all nodes but the one of the pod. Cf. plugins/nodename. */
export const nodeName: PluginFactory = () => ({
  name: 'NodeName',
  events: [{ resource: 'Node', actions: actions.add }],
  filter: (_, { pod }, node) => (pod.spec.nodeName && pod.spec.nodeName !== node.name ? refusal : undefined),
});
