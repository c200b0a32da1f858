import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { createFeatureGates } from '../../meta/index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const group = '/apis/admissionregistration.k8s.io/v1beta1';
const maps = '/api/v1/namespaces/default/configmaps';

const start = (): Promise<TestCluster> =>
  startTestCluster({ runtimeConfig: new Map([['admissionregistration.k8s.io/v1beta1', 'true']]) }, 'MutatingAdmissionPolicy=true');

const rule = (resources: readonly string[], apiGroups: readonly string[] = ['']): JsonObject => ({
  apiGroups,
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources,
});

const jsonPatch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const configuration = (expression: string): JsonObject => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });

/** Creates and binds a policy, for config maps unless it has other constraints. */
async function bind(cluster: TestCluster, name: string, spec: JsonObject, binding: JsonObject = {}): Promise<void> {
  const matchConstraints = { resourceRules: [rule(['configmaps'])] };
  const policy = { metadata: { name }, spec: { matchConstraints, reinvocationPolicy: 'Never', ...spec } };
  expect(bodyOf(await cluster.send('POST', `${group}/mutatingadmissionpolicies`, policy))).not.toHaveProperty('reason');
  const made = await cluster.send('POST', `${group}/mutatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, ...binding },
  });
  expect(bodyOf(made)).not.toHaveProperty('reason');
}

const create = async (cluster: TestCluster, path: string, object: JsonObject): Promise<JsonObject> =>
  bodyOf(await cluster.send('POST', path, object)) as JsonObject;

test('merges an apply configuration like server-side apply, without owning its fields', async () => {
  const cluster = await start();
  await bind(cluster, 'p', {
    matchConstraints: { resourceRules: [rule(['deployments'], ['apps'])] },
    variables: [{ name: 'team', expression: "object.metadata.namespace + '-team'" }],
    mutations: [
      configuration("Object{metadata: Object.metadata{labels: {'team': variables.team}}}"),
      configuration(
        "Object{spec: Object.spec{replicas: object.spec.replicas + 1, template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'sidecar', image: 'b:' + object.metadata.labels.team}]}}}}",
      ),
    ],
  });
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'a' }] } };
  const made = await create(cluster, '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'd', labels: { app: 'a' } },
    spec: { replicas: 2, selector: { matchLabels: { app: 'a' } }, template },
  });
  expect(made).toMatchObject({
    metadata: { labels: { app: 'a', team: 'default-team' }, managedFields: [{ operation: 'Update' }] },
    spec: {
      replicas: 3,
      template: {
        spec: {
          containers: [
            { name: 'main', image: 'a' },
            { name: 'sidecar', image: 'b:default-team', imagePullPolicy: 'IfNotPresent' },
          ],
        },
      },
    },
  });
});

const denied = (text: string) => `policy 'p' with binding 'p' denied request: ${text}`;

test.each<[mutation: JsonObject, message: string]>([
  [
    configuration("Object{data: {'a': object.data.missing}}"),
    denied("expression 'Object{data: {'a': object.data.missing}}' resulted in error: no such key: missing"),
  ],
  [
    configuration('Object{metadata: Object.spec{}}'),
    denied(
      'type mismatch: unexpected type name "Object.spec", expected "Object.metadata", which matches field name path from root Object type',
    ),
  ],
  [
    configuration("Object{wrong: 'x'}"),
    denied('error applying patch: failed to convert patch object to typed object: .wrong: field not declared in schema'),
  ],
  [
    configuration("Object{metadata: Object.metadata{ownerReferences: [{'uid': 'a'}], finalizers: ['a']}, data: {'a': 'b'}, immutable: 1}"),
    denied('error applying patch: failed to convert patch object to typed object: .immutable: expected boolean, got &{1}'),
  ],
  [
    jsonPatch('[JSONPatch{op: "remove", path: "/data/missing"}]'),
    denied("JSON Patch: error in remove for path: '/data/missing': Unable to remove nonexistent key: missing: missing value"),
  ],
])('the mutation %j is refused', async (mutation, message) => {
  const cluster = await start();
  await bind(cluster, 'p', { mutations: [mutation] });
  expect(await create(cluster, maps, { metadata: { name: 'a' }, data: { x: 'y' } })).toMatchObject({
    code: 403,
    reason: 'Invalid',
    message,
    details: { name: 'a', kind: 'configmaps', causes: [{ message }] },
  });
});

test('atomic lists, maps and structs cannot be mutated', async () => {
  const cluster = await start();
  await bind(cluster, 'p', {
    matchConstraints: { resourceRules: [rule(['services'])] },
    mutations: [configuration("Object{spec: Object.spec{selector: {'a': 'b'}, externalIPs: ['10.0.0.1']}}")],
  });
  const made = await create(cluster, '/api/v1/namespaces/default/services', { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
  expect(made['message']).toBe(
    denied(
      'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector, .spec.externalIPs',
    ),
  );
});

test('an unknown field in the result of a JSON patch is an internal error', async () => {
  const cluster = await start();
  await bind(cluster, 'p', { failurePolicy: 'Ignore', mutations: [jsonPatch('[JSONPatch{op: "add", path: "/unknown", value: 1}]')] });
  expect(await create(cluster, maps, { metadata: { name: 'a' } })).toMatchObject({
    code: 500,
    message: 'Internal error occurred: strict decoding error: unknown field "unknown"',
  });
});

test('a JSON patch whose test fails changes nothing', async () => {
  const cluster = await start();
  const operations = '[JSONPatch{op: "test", path: "/data/x", value: "z"}, JSONPatch{op: "add", path: "/data/a", value: "b"}]';
  await bind(cluster, 'p', { mutations: [jsonPatch(operations)] });
  expect(await create(cluster, maps, { metadata: { name: 'a' }, data: { x: 'y' } })).toMatchObject({ data: { x: 'y' } });
  expect(await create(cluster, maps, { metadata: { name: 'b' }, data: { x: 'z' } })).toMatchObject({ data: { a: 'b', x: 'z' } });
});

test('skips a mutation that fails under failurePolicy Ignore, and applies the others', async () => {
  const cluster = await start();
  const mutations = [configuration('Object{data: object.data.missing}'), configuration("Object{data: {'a': 'b'}}")];
  await bind(cluster, 'p', { failurePolicy: 'Ignore', mutations });
  expect(await create(cluster, maps, { metadata: { name: 'a' }, data: { x: 'y' } })).toMatchObject({ data: { a: 'b', x: 'y' } });
});

test('match conditions see the mutations of earlier policies, and select objects with params', async () => {
  const cluster = await start();
  await cluster.send('POST', maps, { metadata: { name: 'params' }, data: { label: 'from-params' } });
  await bind(cluster, 'first', { mutations: [configuration("Object{data: {'step': '1'}}")] });
  await bind(
    cluster,
    'second',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConditions: [{ name: 'has-step', expression: "object.data['step'] == '1' && params.metadata.name == 'params'" }],
      mutations: [configuration('Object{metadata: Object.metadata{labels: {"label": params.data.label}}}')],
    },
    { paramRef: { name: 'params', parameterNotFoundAction: 'Deny' } },
  );
  expect(await create(cluster, maps, { metadata: { name: 'a' } })).toMatchObject({
    metadata: { labels: { label: 'from-params' } },
    data: { step: '1' },
  });
});

test('a missing parameter is refused as a configuration error', async () => {
  const cluster = await start();
  const mutations = [configuration("Object{data: {'a': 'b'}}")];
  const paramRef = { name: 'missing', parameterNotFoundAction: 'Deny' };
  await bind(cluster, 'p', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, mutations }, { paramRef });
  const message = denied('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction');
  expect(await create(cluster, maps, { metadata: { name: 'a' } })).toMatchObject({ code: 403, reason: 'Forbidden', message });
});

/** Appends a letter to the value of a config map. */
const appending = (letter: string): JsonObject =>
  configuration(`Object{data: {"v": (has(object.data) ? object.data.v : "") + "${letter}"}}`);

test.each([
  ['Never', 'Never', 'ab'],
  // A policy that may be reinvoked runs again after any mutation, its own included.
  ['IfNeeded', 'Never', 'aba'],
  ['Never', 'IfNeeded', 'abb'],
  ['IfNeeded', 'IfNeeded', 'abab'],
])('reinvocation policies %s and %s give %s', async (first, second, value) => {
  const cluster = await start();
  await bind(cluster, 'a', { reinvocationPolicy: first, mutations: [appending('a')] });
  await bind(cluster, 'b', { reinvocationPolicy: second, mutations: [appending('b')] });
  expect(await create(cluster, maps, { metadata: { name: 'a' } })).toMatchObject({ data: { v: value } });
});

test('policies have no effect without the feature gate', async () => {
  const cluster = await startTestCluster({
    runtimeConfig: new Map([['admissionregistration.k8s.io/v1beta1', 'true']]),
    featureGates: createFeatureGates(''),
  });
  await bind(cluster, 'p', { mutations: [configuration("Object{data: {'a': 'b'}}")] });
  expect(await create(cluster, maps, { metadata: { name: 'a' } })).not.toHaveProperty('data');
});
