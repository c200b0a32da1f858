import type { PluginFactory } from '../framework/plugin.ts';

/** Higher priorities first, then in the order of the queue. Cf. plugins/queuesort. */
export const prioritySort: PluginFactory = () => ({
  name: 'PrioritySort',
  less(a, b) {
    if (a.info.priority !== b.info.priority) return a.info.priority > b.info.priority;
    return a.timestampMs === b.timestampMs ? a.sequence < b.sequence : a.timestampMs < b.timestampMs;
  },
});
