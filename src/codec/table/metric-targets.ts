import type { autoscalingv2 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { truncateList } from './column.ts';

type MetricSpec = Decoded<autoscalingv2.MetricSpec>;
type MetricStatus = Decoded<autoscalingv2.MetricStatus>;
type Value = Decoded<autoscalingv2.MetricValueStatus>;

/** A source of `status`, which is present once the autoscaler has read the metric. */
type CurrentMetric = { readonly current?: Value | undefined } | undefined;

/**
 * Current and target metrics of an autoscaler: `cpu: 40%/80%, 12/100 (avg) + 1 more...`.
 * Cf. pkg/printers/internalversion formatHPAMetrics.
 */
export function metricTargets({ spec, status }: Decoded<autoscalingv2.HorizontalPodAutoscaler>): string {
  const metrics = spec?.metrics ?? [];
  if (metrics.length === 0) return '<none>';
  const targets = metrics.map((metric, at) => metricTarget(metric, status?.currentMetrics?.[at] ?? {}));
  return truncateList(targets, 2, ', ');
}

function metricTarget(spec: MetricSpec, status: MetricStatus): string {
  switch (spec.type) {
    case 'External':
      return totalTarget(spec.external?.target, status.external);
    case 'Object':
      return totalTarget(spec.object?.target, status.object);
    case 'Pods':
      return `${amountOf(status.pods, 'averageValue')}/${spec.pods?.target?.averageValue || '<nil>'}`;
    case 'Resource':
      return resourceTarget(spec.resource, status.resource);
    case 'ContainerResource':
      return resourceTarget(spec.containerResource, status.containerResource);
    default:
      return '<unknown type>';
  }
}

function totalTarget(target: Decoded<autoscalingv2.MetricTarget> = {}, status: CurrentMetric): string {
  if (target.averageValue !== undefined) return `${status?.current?.averageValue || '<unknown>'}/${target.averageValue} (avg)`;
  return `${amountOf(status, 'value')}/${target.value || '<nil>'}`;
}

function resourceTarget({ name = '', target = {} }: Decoded<autoscalingv2.ResourceMetricSource> = {}, status: CurrentMetric): string {
  if (target.averageValue !== undefined) return `${name}: ${amountOf(status, 'averageValue')}/${target.averageValue}`;
  return `${name}: ${percent(status?.current?.averageUtilization, '<unknown>')}/${percent(target.averageUtilization, '<auto>')}`;
}

/** The current value of the metric; unknown only without any status. A missing quantity prints as Go's nil. */
function amountOf(status: CurrentMetric, member: 'value' | 'averageValue'): string {
  return status ? status.current?.[member] || '<nil>' : '<unknown>';
}

function percent(utilization: number | undefined, unset: string): string {
  return utilization === undefined ? unset : `${utilization}%`;
}
