import { isJsonObject } from '../../meta/index.ts';
import { type CellContext, withMore } from './column.ts';
import { isSet, listAt, memberAt, textAt, valueAt } from './read.ts';

/**
 * What an autoscaler aims at and where it stands: `cpu: 40%/80%, 12/100 (avg) + 1 more...`.
 * Cf. pkg/printers/internalversion formatHPAMetrics.
 */
export function metricTargets(hpa: unknown, { product }: CellContext): string {
  const v1 = textAt(hpa, 'apiVersion') === 'autoscaling/v1';
  const specs = v1 ? specsOfV1(hpa, product.rename('autoscaling.alpha.kubernetes.io/metrics')) : listAt(hpa, 'spec.metrics');
  const currents = v1
    ? currentsOfV1(hpa, product.rename('autoscaling.alpha.kubernetes.io/current-metrics'))
    : listAt(hpa, 'status.currentMetrics');
  if (specs.length === 0) return '<none>';
  return withMore(
    specs.map((spec, at) => metricTarget(spec, currents[at])),
    2,
    ', ',
  );
}

function metricTarget(spec: unknown, status: unknown): string {
  const type = textAt(spec, 'type');
  const source = type.charAt(0).toLowerCase() + type.slice(1);
  const target = valueAt(spec, `${source}.target`);
  const current = valueAt(status, `${source}.current`);
  switch (type) {
    case 'External':
    case 'Object':
      if (isSet(valueAt(target, 'averageValue'))) return `${amount(current, 'averageValue')}/${textAt(target, 'averageValue')} (avg)`;
      return `${amountOf(valueAt(status, source), 'value')}/${quantity(target, 'value')}`;
    case 'Pods':
      return `${amountOf(valueAt(status, source), 'averageValue')}/${quantity(target, 'averageValue')}`;
    case 'Resource':
    case 'ContainerResource': {
      const name = textAt(spec, `${source}.name`);
      if (isSet(valueAt(target, 'averageValue')))
        return `${name}: ${amountOf(valueAt(status, source), 'averageValue')}/${textAt(target, 'averageValue')}`;
      const utilization = textAt(target, 'averageUtilization');
      return `${name}: ${percent(current)}/${utilization === '' ? '<auto>' : `${utilization}%`}`;
    }
    default:
      return '<unknown type>';
  }
}

function amount(current: unknown, member: string): string {
  return textAt(current, member) || '<unknown>';
}

/** Where the metric stands; unknown only when nothing at all is told of it. */
function amountOf(told: unknown, member: string): string {
  return isSet(told) ? quantity(valueAt(told, 'current'), member) : '<unknown>';
}

/** A quantity that is not there prints as Go's nil. */
function quantity(value: unknown, member: string): string {
  return textAt(value, member) || '<nil>';
}

function percent(current: unknown): string {
  const utilization = textAt(current, 'averageUtilization');
  return utilization === '' ? '<unknown>' : `${utilization}%`;
}

/** Version 1 has a field for the CPU alone; all other metrics stand in an annotation, in an older shape. */
function specsOfV1(hpa: unknown, annotation: string): readonly unknown[] {
  const others = annotatedMetrics(hpa, annotation).map((metric) => fromV1(metric, 'target'));
  const cpu = valueAt(hpa, 'spec.targetCPUUtilizationPercentage');
  return isSet(cpu) ? [...others, { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: cpu } } }] : others;
}

function currentsOfV1(hpa: unknown, annotation: string): readonly unknown[] {
  const others = annotatedMetrics(hpa, annotation).map((metric) => fromV1(metric, 'current'));
  const cpu = valueAt(hpa, 'status.currentCPUUtilizationPercentage');
  return isSet(cpu) ? [...others, { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: cpu } } }] : others;
}

/** `{type: Pods, pods: {targetAverageValue: 5}}` → `{type: Pods, pods: {target: {averageValue: 5}}}`. */
function fromV1(metric: unknown, prefix: 'target' | 'current'): unknown {
  const type = textAt(metric, 'type');
  const source = type.charAt(0).toLowerCase() + type.slice(1);
  const old = valueAt(metric, source);
  const values = {
    value: valueAt(old, `${prefix}Value`),
    averageValue: valueAt(old, `${prefix}AverageValue`) ?? valueAt(old, 'averageValue'),
    averageUtilization: valueAt(old, `${prefix}AverageUtilization`),
  };
  return { type, [source]: { name: valueAt(old, 'name'), [prefix]: values } };
}

function annotatedMetrics(hpa: unknown, annotation: string): readonly unknown[] {
  const text = memberAt(hpa, 'metadata.annotations', annotation);
  if (text === '') return [];
  try {
    const metrics: unknown = JSON.parse(text);
    return Array.isArray(metrics) ? metrics.filter(isJsonObject) : [];
  } catch {
    // What a user wrote into the annotation is no JSON: then it names no metrics.
    return [];
  }
}
