import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import type { DescribeInput } from './describers.ts';
import { policies } from './policies.ts';
import { Report } from './report.ts';

function metricLine(metric: JsonObject, current?: JsonObject): string | undefined {
  const object = {
    metadata: { name: 'web', namespace: 'default' },
    spec: { metrics: [metric] },
    status: current ? { currentMetrics: [current] } : {},
  };
  const report = new Report(0);
  void policies['autoscaling/HorizontalPodAutoscaler']?.({ report, object } as unknown as DescribeInput);
  const lines = report.raw().split('\n');
  return lines[lines.findIndex((line) => line.startsWith('Metrics:')) + 1]?.trim().replace('\t', ' | ');
}

const pods = (target: JsonObject) => ({ type: 'Pods', pods: { metric: { name: 'qps' }, target } });
const external = (target: JsonObject) => ({ type: 'External', external: { metric: { name: 'queue' }, target } });
const object = (target: JsonObject) => ({
  type: 'Object',
  object: { metric: { name: 'hits' }, target, describedObject: { kind: 'Ingress', name: 'main' } },
});
const resource = (target: JsonObject) => ({ type: 'Resource', resource: { name: 'cpu', target } });
const container = (target: JsonObject) => ({
  type: 'ContainerResource',
  containerResource: { name: 'cpu', container: 'app', target },
});

/** Cf. upstream describeHorizontalPodAutoscalerV2. */
test.each<readonly [string, JsonObject, JsonObject | undefined, string]>([
  ['pods', pods({ averageValue: '1k' }), { type: 'Pods', pods: { current: { averageValue: '900' } } }, '"qps" on pods: | 900 / 1k'],
  ['pods without a current value', pods({ averageValue: '1k' }), undefined, '"qps" on pods: | <unknown> / 1k'],
  ['pods of an empty status', pods({ averageValue: '1k' }), { type: 'Pods', pods: { current: {} } }, '"qps" on pods: | <nil> / 1k'],
  [
    'an external value',
    external({ value: '30' }),
    { type: 'External', external: { current: { value: '7' } } },
    '"queue" (target value): | 7 / 30',
  ],
  [
    'an external average',
    external({ averageValue: '30' }),
    { type: 'External', external: { current: { averageValue: '7' } } },
    '"queue" (target average value): | 7 / 30',
  ],
  [
    'an external average without a current one',
    external({ averageValue: '30' }),
    { type: 'External', external: { current: {} } },
    '"queue" (target average value): | <unknown> / 30',
  ],
  [
    'an object value',
    object({ type: 'Value', value: '9' }),
    { type: 'Object', object: { current: { value: '8' } } },
    '"hits" on Ingress/main (target value): | 8 / 9',
  ],
  [
    'an object average',
    object({ type: 'AverageValue', averageValue: '9' }),
    undefined,
    '"hits" on Ingress/main (target average value): | <unknown> / 9',
  ],
  [
    'a resource percentage',
    resource({ averageUtilization: 50 }),
    { type: 'Resource', resource: { current: { averageUtilization: 42, averageValue: '420m' } } },
    'resource cpu on pods  (as a percentage of request): | 42% (420m) / 50%',
  ],
  ['a resource without a target', resource({}), undefined, 'resource cpu on pods  (as a percentage of request): | <unknown> / <auto>'],
  [
    'a resource value',
    resource({ averageValue: '1' }),
    { type: 'Resource', resource: { current: { averageValue: '420m' } } },
    'resource cpu on pods: | 420m / 1',
  ],
  [
    'a container percentage',
    container({ averageUtilization: 50 }),
    undefined,
    'resource cpu of container "app" on pods  (as a percentage of request): | <unknown> / 50%',
  ],
  ['an unknown type', { type: 'Other' }, undefined, '<unknown metric type "Other">'],
])('describes a metric: %s', (_, metric, current, expected) => {
  expect(metricLine(metric, current)).toBe(expected);
});
