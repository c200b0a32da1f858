/** What the reconciliation of autoscalers needs; loaded for the first one, since few clusters have any. */
export { AutoscalerSync } from './autoscaler-sync.ts';
export { MetricsClient } from './metrics-client.ts';
