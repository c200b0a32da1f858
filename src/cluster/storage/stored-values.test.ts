import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { createFeatureGates, productByName } from '../../meta/index.ts';
import { createStoredValueCodec } from './stored-values.ts';

const values = createStoredValueCodec(productByName('kubernetes'), 'application/vnd.kubernetes.protobuf', {
  clock: createManualClock(),
  featureGates: createFeatureGates(),
});
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const configMap =
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"","labels":{"é":"😀"}},"data":{"x":"1"}}';

test('stores a built-in object as protobuf with its prefix, and restores the same text', () => {
  const bytes = values.encode('/registry/configmaps/default/a', configMap);
  expect(textOf(bytes.subarray(0, 4))).toBe('k8s\0');
  expect(values.decode('/registry/configmaps/default/a', bytes)).toBe(configMap);
});

test.each([
  ['an API service', '{"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":"v1.apps","resourceVersion":""}}'],
  ['a custom object', '{"kind":"A","apiVersion":"b/v1","metadata":{"name":"x","resourceVersion":""},"spec":{"big":12345678901234567890}}'],
])('stores %s as one line of JSON without resourceVersion', (_, text) => {
  const bytes = values.encode('/registry/b/a/x', text);
  expect(textOf(bytes)).toBe(`${text.replace(',"resourceVersion":""', '')}\n`);
  expect(values.decode('/registry/b/a/x', bytes)).toBe(text);
});

test("stores a definition in the real server's storage version", () => {
  const text =
    '{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1beta1","metadata":{"name":"as.b","resourceVersion":""},"spec":{"group":"b","versions":[{"name":"v1","schema":{}}]}}';
  expect(textOf(values.encode('/registry/a', text))).toContain('"validation":{},"versions":[{"name":"v1"}]');
});

test('stores built-in objects as JSON if configured, and still reads protobuf', () => {
  const inJson = createStoredValueCodec(productByName('kubernetes'), 'application/json', {
    clock: createManualClock(),
    featureGates: createFeatureGates(),
  });
  expect(textOf(inJson.encode('/registry/configmaps/default/a', configMap))).toContain('"kind":"ConfigMap"');
  expect(inJson.decode('/registry/x', values.encode('/registry/x', configMap))).toBe(configMap);
});

test('leaves values unchanged that are not objects', () => {
  expect(values.decode('/registry/configmaps/default/a', Buffer.from('{"kind":'))).toBe('{"kind":');
  expect(values.decode('/registry/configmaps/default/a', Buffer.from('k8s\0\xff', 'latin1'))).toContain('k8s');
  expect(textOf(values.encode('/tabplane/service-account-key', '{"metadata":{"resourceVersion":""}}'))).toBe(
    '{"metadata":{"resourceVersion":""}}',
  );
});

test('defaults fields that the encoding or an older server omitted when reading', () => {
  const set =
    '{"kind":"StatefulSet","apiVersion":"apps/v1","metadata":{"name":"a","resourceVersion":""},"spec":{"volumeClaimTemplates":[{"metadata":{"name":"d"}}]}}';
  const { spec } = JSON.parse(values.decode('/registry/a', values.encode('/registry/a', set))) as {
    readonly spec: { readonly replicas: number; readonly volumeClaimTemplates: readonly [{ readonly kind: string }] };
  };
  expect([spec.replicas, spec.volumeClaimTemplates[0].kind]).toEqual([1, 'PersistentVolumeClaim']);
});
