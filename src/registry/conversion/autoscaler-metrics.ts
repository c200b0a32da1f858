import { type Json, type JsonObject, recordAt } from '../../meta/index.ts';
import { withMembers } from '../strategies/kind-row.ts';

/**
 * Metrics in the annotations of autoscaling/v1: the names of v2beta1, `targetAverageValue` for `target.averageValue`. The member that is
 * set determines the source of a metric; one conversion serves specs (`target`) and statuses (`current`).
 */
type Part = 'target' | 'current';
type Members = Readonly<Record<string, Json | undefined>>;

export const toV1Metric = (metric: JsonObject): JsonObject => convertMetric(metric, 'target', toOld);
export const toV1MetricStatus = (metric: JsonObject): JsonObject => convertMetric(metric, 'current', toOld);
export const toV2Metric = (metric: JsonObject): JsonObject => convertMetric(metric, 'target', toNew);
export const toV2MetricStatus = (metric: JsonObject): JsonObject => convertMetric(metric, 'current', toNew);

type SourceConversions = Readonly<Record<string, (source: JsonObject, part: Part) => Members>>;

function convertMetric(metric: JsonObject, part: Part, conversions: SourceConversions): JsonObject {
  const sources = Object.entries(conversions).flatMap(([name, convert]) =>
    metric[name] === undefined ? [] : [[name, withMembers({}, convert(recordAt(metric, name), part))] as const],
  );
  return { type: metric['type'] ?? '', ...Object.fromEntries(sources) };
}

/** Members in the order of their declaration in v1. */
const toOld: SourceConversions = {
  object: (source, part) => ({
    target: source['describedObject'],
    metricName: metricOf(source)['name'],
    [`${part}Value`]: partValue(source, part, 'value') ?? '0',
    selector: metricOf(source)['selector'],
    averageValue: partValue(source, part, 'averageValue'),
  }),
  pods: (source, part) => ({
    metricName: metricOf(source)['name'],
    [`${part}AverageValue`]: partValue(source, part, 'averageValue') ?? '0',
    selector: metricOf(source)['selector'],
  }),
  resource: (source, part) => ({ name: source['name'], ...oldResource(source, part) }),
  containerResource: (source, part) => ({ name: source['name'], ...oldResource(source, part), container: source['container'] }),
  external: (source, part) => ({
    metricName: metricOf(source)['name'],
    metricSelector: metricOf(source)['selector'],
    [`${part}Value`]: partValue(source, part, 'value') ?? (part === 'current' ? '0' : undefined),
    [`${part}AverageValue`]: partValue(source, part, 'averageValue'),
  }),
};

/** A current value is always written, a target only when it is set. */
function oldResource(source: JsonObject, part: Part): Members {
  return {
    [`${part}AverageUtilization`]: partValue(source, part, 'averageUtilization'),
    [`${part}AverageValue`]: partValue(source, part, 'averageValue') ?? (part === 'current' ? '0' : undefined),
  };
}

const toNew: SourceConversions = {
  object: (source, part) => ({
    describedObject: source['target'],
    ...newValue(part, source['averageValue'] === undefined ? 'Value' : 'AverageValue', {
      value: source[`${part}Value`],
      averageValue: source['averageValue'],
    }),
    metric: newMetricName(source, 'selector'),
  }),
  pods: (source, part) => ({
    metric: newMetricName(source, 'selector'),
    ...newValue(part, 'AverageValue', { averageValue: source[`${part}AverageValue`] }),
  }),
  resource: (source, part) => ({ name: source['name'], ...newResource(source, part) }),
  containerResource: (source, part) => ({ name: source['name'], ...newResource(source, part), container: source['container'] }),
  external: (source, part) => ({
    metric: newMetricName(source, 'metricSelector'),
    ...newValue(part, source[`${part}AverageValue`] === undefined ? 'Value' : 'AverageValue', {
      value: source[`${part}Value`],
      averageValue: source[`${part}AverageValue`],
    }),
  }),
};

function newResource(source: JsonObject, part: Part): Members {
  const utilization = source[`${part}AverageUtilization`];
  return newValue(part, utilization === undefined ? 'AverageValue' : 'Utilization', {
    averageValue: source[`${part}AverageValue`],
    averageUtilization: utilization,
  });
}

function newValue(part: Part, type: string, members: Members): Members {
  return { [part]: withMembers(part === 'target' ? { type } : {}, members) };
}

function newMetricName(source: JsonObject, selector: string): JsonObject {
  return withMembers({}, { name: source['metricName'] ?? '', selector: source[selector] });
}

function metricOf(source: JsonObject): JsonObject {
  return recordAt(source, 'metric');
}

function partValue(source: JsonObject, part: Part, name: string): Json | undefined {
  return recordAt(source, part)[name];
}
