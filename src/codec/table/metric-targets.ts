import { truncateList } from './column.ts';
import { isSet, listAt, textAt, valueAt } from './read.ts';

/**
 * Current and target metrics of an autoscaler: `cpu: 40%/80%, 12/100 (avg) + 1 more...`.
 * Cf. pkg/printers/internalversion formatHPAMetrics.
 */
export function metricTargets(hpa: unknown): string {
  const specs = listAt(hpa, 'spec.metrics');
  const currents = listAt(hpa, 'status.currentMetrics');
  if (specs.length === 0) return '<none>';
  return truncateList(
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

/** The current value of the metric; unknown only without any status. */
function amountOf(status: unknown, member: string): string {
  return isSet(status) ? quantity(valueAt(status, 'current'), member) : '<unknown>';
}

/** A missing quantity prints as Go's nil. */
function quantity(value: unknown, member: string): string {
  return textAt(value, member) || '<nil>';
}

function percent(current: unknown): string {
  const utilization = textAt(current, 'averageUtilization');
  return utilization === '' ? '<unknown>' : `${utilization}%`;
}
