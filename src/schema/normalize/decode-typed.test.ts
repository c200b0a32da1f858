import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog } from '../catalog.ts';
import { parseGroupVersion } from '../resources.ts';
import type { StructSchema } from '../schema.ts';
import { createTypedDecoder, DecodeError, hasEmptyCollection } from './index.ts';

const catalog = createCatalog(productByName('kubernetes'));
const decode = createTypedDecoder();

function schemaOf(groupVersion: string, kind: string): StructSchema {
  const schema = catalog.kind(groupVersion, kind);
  if (!schema) throw new Error(`no kind ${groupVersion} ${kind}`);
  return schema;
}

interface Recorded {
  readonly name: string;
  readonly path: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly response: { readonly code: number; readonly message?: string };
}

function recorded(folder: string): readonly (Recorded & { readonly file: string })[] {
  const base = new URL(`../../../test/facts/catalog/${folder}/`, import.meta.url);
  return readdirSync(base).flatMap((file) =>
    (JSON.parse(readFileSync(new URL(file, base), 'utf8')) as Recorded[]).map((one) => ({ ...one, file })),
  );
}

/** `/apis/apps/v1/…`, `/api/v1/…`. */
const groupVersionOf = (path: string): string => (path.startsWith('/api/') ? 'v1' : path.split('/').slice(2, 4).join('/'));

const outputs = recorded('defaulting').filter(({ output, file }) => {
  const version = String(output?.['apiVersion']);
  return output && parseGroupVersion(version).version !== '' && catalog.kind(version, String(output['kind'])) && !file.includes('Token');
});

test.each(outputs.map((one) => [`${one.file} ${one.name}`, one.output] as const))(
  'what the server sent stays as it is: %s',
  (_, output) => {
    const unknown: string[] = [];
    const schema = schemaOf(String(output['apiVersion']), String(output['kind']));
    const decoded = decode(schema, output, { onUnknownField: (path) => unknown.push(path) });
    expect(unknown).toEqual([]);
    expect(JSON.stringify(decoded)).toBe(JSON.stringify(output));
  },
);

const refused = recorded('validation').filter(({ response }) =>
  /cannot be handled as a \w+: (?!no kind|strict)/.test(response.message ?? ''),
);

test.each(refused.map((one) => [`${one.file} ${one.name}`, one] as const))(
  'reports type mismatches with the message of Go: %s',
  (_, one) => {
    const schema = schemaOf(groupVersionOf(one.path), one.file.replace(/.*\.(\w+)\.json$/, '$1'));
    const message = one.response.message?.replace(/^.*cannot be handled as a \w+: /, '') ?? '';
    expect(() => decode(schema, one.input)).toThrow(new DecodeError(message));
  },
);

test('reports unknown fields in document order with indexes and drops them', () => {
  const unknown: string[] = [];
  const pod = {
    metadata: { name: 'a', nope: 1 },
    extra: { x: 1 },
    spec: { containers: [{ name: 'c' }, { foo: 1, name: 'd' }] },
    KIND: 'Pod',
  };
  const decoded = decode(schemaOf('v1', 'Pod'), pod, { onUnknownField: (path) => unknown.push(path) });
  expect(unknown).toEqual(['metadata.nope', 'extra', 'spec.containers[1].foo', 'KIND']);
  expect(decoded).toEqual({
    metadata: { name: 'a' },
    spec: {
      containers: [
        { name: 'c', resources: {} },
        { name: 'd', resources: {} },
      ],
    },
    status: {},
  });
});

test('reports at most a hundred unknown fields', () => {
  const unknown: string[] = [];
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, 1]));
  decode(schemaOf('v1', 'ConfigMap'), many, { onUnknownField: (path) => unknown.push(path) });
  expect(unknown.length).toBe(100);
});

test('null is the zero value everywhere', () => {
  const map = decode(schemaOf('v1', 'ConfigMap'), { metadata: null, data: { k: null }, binaryData: { b: null }, immutable: null });
  expect(map).toEqual({ metadata: {}, data: { k: '' }, binaryData: { b: '' } });
  const account = decode(schemaOf('v1', 'ServiceAccount'), { secrets: [null, { name: 'x' }], imagePullSecrets: [] });
  expect(account).toEqual({ metadata: {}, secrets: [{}, { name: 'x' }] });
});

test('fields without omitempty are always encoded, and pointers preserve zero values', () => {
  const deployment = decode(schemaOf('apps/v1', 'Deployment'), { spec: { replicas: 0, paused: false } });
  expect(deployment).toEqual({
    metadata: {},
    spec: { replicas: 0, selector: null, template: { metadata: {}, spec: { containers: null } }, strategy: {} },
    status: {},
  });
});

test('fields are in order of declaration and maps sorted by key', () => {
  const map = decode(schemaOf('v1', 'ConfigMap'), {
    data: { b: '', a: '' },
    metadata: { labels: { z: '', y: '' }, name: 'x' },
    kind: 'ConfigMap',
  });
  expect(JSON.stringify(map)).toBe('{"kind":"ConfigMap","metadata":{"name":"x","labels":{"y":"","z":""}},"data":{"a":"","b":""}}');
});

test('a member named __proto__ is data', () => {
  const map = decode(schemaOf('v1', 'ConfigMap'), JSON.parse('{"data":{"__proto__":"x","a":"y"}}'));
  expect(JSON.stringify(map['data'])).toBe('{"__proto__":"x","a":"y"}');
});

test('normalizes times, quantities and numbers by type', () => {
  const lease = decode(schemaOf('coordination.k8s.io/v1', 'Lease'), { spec: { acquireTime: '2026-01-01T01:00:00.123456+01:00' } });
  expect(lease['spec']).toEqual({ acquireTime: '2026-01-01T00:00:00.123456Z' });
  const quota = decode(schemaOf('v1', 'ResourceQuota'), { spec: { hard: { cpu: 2, memory: '1024Mi', pods: '05' } } });
  expect(quota['spec']).toEqual({ hard: { cpu: '2', memory: '1Gi', pods: '05' } });
  const priority = decode(schemaOf('scheduling.k8s.io/v1', 'PriorityClass'), { metadata: { generation: 9007199254740993n }, value: 5 });
  expect(priority).toEqual({ metadata: { generation: 9007199254740993n }, value: 5 });
});

test('number literals with a point or an exponent are not integers', () => {
  const value = { value: 1 };
  const literals = new Map([[value, new Map([['value', '1.0']])]]);
  expect(() => decode(schemaOf('scheduling.k8s.io/v1', 'PriorityClass'), value, { literals })).toThrow(
    'json: cannot unmarshal number 1.0 into Go struct field PriorityClass.value of type int32',
  );
});

test('reports the first mismatch unless a later value fails to unmarshal', () => {
  const schema = schemaOf('v1', 'Pod');
  const spec = { hostNetwork: 'x', nodeName: 1 };
  expect(() => decode(schema, { spec })).toThrow(
    'json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
  );
  expect(() => decode(schema, { spec: { ...spec, overhead: { cpu: '1x' } } })).toThrow('quantities must match the regular expression');
});

test('bytes may be a list of numbers within the range of a byte', () => {
  const schema = schemaOf('v1', 'Secret');
  expect(decode(schema, { data: { a: [97, null, 255], b: [] } })).toMatchObject({ data: { a: 'YQD/', b: '' } });
  const refused = 'into Go struct field Secret.data of type uint8';
  expect(() => decode(schema, { data: { a: [256] } })).toThrow(`json: cannot unmarshal number 256 ${refused}`);
  expect(() => decode(schema, { data: { a: ['x'] } })).toThrow(`json: cannot unmarshal string ${refused}`);
});

test('rejects an endlessly nested definition without a crash', () => {
  let schema: JsonObject = {};
  for (let depth = 0; depth < 9_000; depth++) schema = { not: schema };
  const crd = { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } };
  expect(() => decode(schemaOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition'), crd)).toThrow(new DecodeError('exceeded max depth'));
});

test.each<[string, (schema: JsonObject) => JsonObject]>([
  ['not', (not) => ({ not })],
  ['properties', (a) => ({ properties: { a } })],
  ['items', (items) => ({ items })],
  ['allOf', (schema) => ({ allOf: [schema] })],
])('decodes 990 levels of %s in a definition', (_, nest) => {
  let schema: JsonObject = { type: 'string' };
  for (let depth = 0; depth < 990; depth++) schema = nest(schema);
  const crd = { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } };
  const decoded = JSON.stringify(decode(schemaOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition'), crd));
  expect(decoded).toContain(JSON.stringify(schema));
});

test.each([
  [
    'apps/v1',
    'StatefulSet',
    { spec: { podManagementPolicy: 5 } },
    'StatefulSetSpec.spec.podManagementPolicy of type v1.PodManagementPolicyType',
  ],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { policyTypes: {} } }, 'NetworkPolicySpec.spec.policyTypes of type []v1.PolicyType'],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { policyTypes: [5] } }, 'NetworkPolicySpec.spec.policyTypes of type v1.PolicyType'],
  ['v1', 'PersistentVolume', { spec: { capacity: [] } }, 'PersistentVolumeSpec.spec.capacity of type v1.ResourceList'],
  [
    'resource.k8s.io/v1beta1',
    'ResourceSlice',
    { spec: { devices: [{ basic: { capacity: 'x' } }] } },
    'BasicDevice.spec.devices.basic.capacity of type map[v1beta1.QualifiedName]v1beta1.DeviceCapacity',
  ],
] as const)('errors contain the names of Go types: %s %s %j', (groupVersion, kind, value, message) => {
  expect(() => decode(schemaOf(groupVersion, kind), value as JsonObject)).toThrow(message);
});

test('drops empty lists and maps, or retains those without omitempty, or all', () => {
  const role = { metadata: { labels: {} }, rules: [] };
  const policy = { metadata: {}, spec: { podSelector: { matchLabels: {} }, ingress: [], egress: [{ to: [] }] } };
  const [roles, policies] = [schemaOf('rbac.authorization.k8s.io/v1', 'Role'), schemaOf('networking.k8s.io/v1', 'NetworkPolicy')];
  expect(decode(roles, role)).toEqual({ metadata: {}, rules: null });
  expect(decode(roles, role, { retainEmpties: 'written' })).toEqual({ metadata: {}, rules: [] });
  expect(decode(roles, role, { retainEmpties: 'all' })).toEqual(role);
  expect(decode(policies, policy)).toEqual({ metadata: {}, spec: { podSelector: {}, egress: [{}] } });
  expect(decode(policies, policy, { retainEmpties: 'all' })).toEqual(policy);
});

test('distinguishes an empty map in the request from an empty struct', () => {
  const pod = schemaOf('v1', 'Pod');
  const decoded = (value: JsonObject): JsonObject => decode(pod, value, { retainEmpties: 'all' });
  expect(hasEmptyCollection(decoded({ metadata: { labels: {} } }))).toBe(true);
  expect(hasEmptyCollection(decoded({ metadata: {}, spec: { containers: [{ name: 'a' }], securityContext: {} } }))).toBe(false);
});

test('sorts a large map in steps or at once', () => {
  const data = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`k${index}`, String(index)]));
  const schema = catalog.type('core/v1.ConfigMap');
  const steps: Generator<void, void>[] = [];
  const decode = createTypedDecoder();
  const later = decode(schema, { data }, { deferFill: (fill) => void steps.push(fill) });
  expect(later['data']).toEqual({});
  let count = 0;
  for (const fill of steps) while (!fill.next().done) count++;
  expect(count).toBeGreaterThan(4);
  expect(JSON.stringify(later['data'])).toBe(JSON.stringify(Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)))));
  expect(decode(schema, { data })).toEqual(later);
});

const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z', labels: { a: '1' } },
  spec: {
    containers: [
      { name: 'c', image: 'nginx', resources: {} },
      { name: 'd', resources: {} },
    ],
    tolerations: [{ key: 'k' }],
  },
  status: { phase: 'Running' },
};

test('parts that have the decoded form already are shared with the result', () => {
  const schema = schemaOf('v1', 'Pod');
  const complete = decode(schema, pod);
  expect(decode(schema, complete)).toBe(complete);
  const changed = { ...complete, status: { hostIP: '10.0.0.1', phase: 'Running' } };
  const decoded = decode(schema, changed);
  expect(decoded['spec']).toBe(complete['spec']);
  expect(decoded['metadata']).toBe(complete['metadata']);
  // In order of declaration.
  expect(Object.keys(decoded['status'] as JsonObject)).toEqual(['phase', 'hostIP']);
});

test.each<[string, (spec: JsonObject, container: JsonObject) => JsonObject]>([
  ['an unknown field', (spec) => ({ ...spec, foo: 1 })],
  ['a null', (spec) => ({ ...spec, nodeName: null })],
  ['a zero value', (spec) => ({ ...spec, nodeName: '' })],
  ['an undefined member', (spec) => ({ ...spec, nodeName: undefined })],
  ['an empty list', (spec) => ({ ...spec, tolerations: [] })],
  ['a missing zero value', (spec, { resources: _, ...container }) => ({ ...spec, containers: [container] })],
  ['fields in another order', ({ containers, ...spec }) => ({ ...spec, containers })],
])('a part with %s is not shared', (_, change) => {
  const schema = schemaOf('v1', 'Pod');
  const spec = decode(schema, pod)['spec'] as JsonObject & { readonly containers: readonly [JsonObject] };
  const changed = change(spec, spec.containers[0]);
  const copy = decode(schema, structuredClone({ spec: changed }));
  const decoded = decode(schema, { spec: changed }, { known: { spec } });
  expect(decoded['spec']).not.toBe(changed);
  expect(JSON.stringify(decoded)).toBe(JSON.stringify(copy));
});

test('parts of a decoded object are not visited again, unlike equal scalars', () => {
  const schema = schemaOf('v1', 'Pod');
  // Not in the decoded form, which shows that it is not visited.
  const spec = { foo: 1 };
  expect(decode(schema, { spec }, { known: { spec } })).toEqual({ metadata: {}, spec, status: {} });
  const value = { metadata: { generation: 1 } };
  const literals = new Map([[value.metadata, new Map([['generation', '1.0']])]]);
  expect(() => decode(schema, value, { literals, known: { metadata: { generation: 1 } } })).toThrow(DecodeError);
});
