import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ApiObject, productByName } from '../../meta/index.ts';
import { createConversion } from './index.ts';

const convert = createConversion(productByName('kubernetes'));
type Example = Readonly<Record<string, unknown>> & { readonly title: string; readonly stored_as_written: ApiObject };
const file = new URL('../../../test/facts/catalog/conversion-examples.json', import.meta.url);
const examples = JSON.parse(readFileSync(file, 'utf8')) as readonly Example[];

for (const { title, stored_as_written: written, ...reads } of examples) {
  for (const [name, read] of Object.entries(reads)) {
    const other = read as ApiObject;
    test(`${title}: ${name} returns the recorded fields in their order`, () => {
      // A read in v1 returns conversion annotations; the write had none.
      const source = title === 'hpa v1 cpu' ? { ...written, metadata: { name: 'cv1', namespace: 'c-def' } } : written;
      expect(JSON.stringify(convert(source, other.apiVersion))).toBe(JSON.stringify(other));
    });
    test(`${title}: ${name} converts back to the written object`, () => {
      expect(convert(other, written.apiVersion)).toEqual(written);
    });
  }
}

test('metrics of every type survive the conversion to annotations and back', () => {
  const metric = { name: 'q', selector: { matchLabels: { a: 'b' } } };
  const describedObject = { kind: 'Service', name: 's', apiVersion: 'v1' };
  const metrics = [
    { type: 'Object', object: { describedObject, target: { type: 'Value', value: '10' }, metric } },
    { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '5' } } },
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 40 }, container: 'c' },
    },
    { type: 'External', external: { metric, target: { type: 'AverageValue', averageValue: '3' } } },
  ];
  const spec = { scaleTargetRef: describedObject, maxReplicas: 3, metrics };
  const status = { desiredReplicas: 0, currentMetrics: null };
  const autoscaler = { kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v2', metadata: { name: 'a' }, spec, status };
  const old = convert(autoscaler, 'autoscaling/v1');
  expect(Object.keys(old.metadata.annotations ?? {})).toEqual(['autoscaling.alpha.kubernetes.io/metrics']);
  expect(convert(old, 'autoscaling/v2')).toEqual(autoscaler);
});

test('drops annotations that cannot be parsed', () => {
  const annotations = {
    'autoscaling.alpha.kubernetes.io/metrics': 'not json',
    'autoscaling.alpha.kubernetes.io/behavior': '[]',
    mine: 'x',
  };
  const autoscaler = { kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v1', metadata: { name: 'a', annotations }, spec: {} };
  expect(convert(autoscaler, 'autoscaling/v2')).toMatchObject({ metadata: { annotations: { mine: 'x' } }, spec: {} });
});

test.each([
  ['{}', undefined],
  ['{"ScaleUp":null,"ScaleDown":null}', undefined],
  ['{"scaleUp":{}}', { scaleUp: {} }],
  [
    '{"SCALEDOWN":{"selectPolicy":"Min","Policies":[{"type":"Pods","value":1,"PERIODSECONDS":2}]}}',
    {
      scaleDown: { selectPolicy: 'Min', policies: [{ type: 'Pods', value: 1, periodSeconds: 2 }] },
    },
  ],
])('reads the behavior %s of an annotation', (text, behavior) => {
  const annotations = { 'autoscaling.alpha.kubernetes.io/behavior': text };
  const autoscaler = { kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v1', metadata: { name: 'a', annotations }, spec: {} };
  expect((convert(autoscaler, 'autoscaling/v2')['spec'] as { behavior?: unknown }).behavior).toEqual(behavior);
});
