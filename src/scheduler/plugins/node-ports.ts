import { hostPortsOf } from '../../component-helpers/index.ts';
import { actions, podHint } from '../framework/cluster-events.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { skip, unschedulable } from '../framework/status.ts';

const refusal = unschedulable("node(s) didn't have free ports for the requested pod ports");

/** Refuses nodes whose ports are in use. Cf. plugins/nodeports. */
export const nodePorts: PluginFactory = () => ({
  name: 'NodePorts',
  events: [
    {
      resource: 'AssignedPod',
      actions: actions.delete,
      hint: podHint(({ hostPorts }, _, deleted) => {
        const freed = deleted ? hostPortsOf(deleted) : [];
        return freed.some((used) => hostPorts.some(({ protocol, port }) => used.protocol === protocol && used.port === port));
      }),
    },
    { resource: 'Node', actions: actions.add },
  ],
  preFilter: (_, { hostPorts }) => (hostPorts.length === 0 ? { status: skip } : undefined),
  filter: (_, { hostPorts }, node) => (hostPorts.some((port) => node.usesPort(port)) ? refusal : undefined),
});
