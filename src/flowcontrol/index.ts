export { dumpPriorityLevels, dumpQueues, dumpRequests } from './dump.ts';
export { FlowController } from './flow-controller.ts';
export { flowMetrics } from './flow-metrics.ts';
export { Rejected } from './queue-set.ts';
