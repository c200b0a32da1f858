import { actions } from '../framework/cluster-events.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { unresolvable } from '../framework/status.ts';

/** Holds pods with scheduling gates back. Cf. plugins/schedulinggates. */
export const schedulingGates: PluginFactory = () => ({
  name: 'SchedulingGates',
  events: [{ resource: 'UnscheduledPod', actions: actions.updatePodSchedulingGatesEliminated }],
  preEnqueue({ pod }) {
    const gates = (pod.spec.schedulingGates ?? []).map(({ name }) => name);
    return gates.length === 0 ? undefined : unresolvable(`waiting for scheduling gates: [${gates.join(' ')}]`);
  },
});
