import { expect, test } from 'vitest';
import { createMemoryLog, type Outbound } from '../../env/index.ts';
import { type JsonObject, productByName } from '../../meta/index.ts';
import { type ClusterOptions, clusterDefaults } from '../cluster-options.ts';
import { createAuditRing, readAuditPolicyFile } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';
import { createOptionalPlugins } from './optional-plugins.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const allMaps = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];

type Operations = readonly JsonObject[];
/** Returns the operations of the patch, or members of the response. */
type Hook = (object: JsonObject) => Operations | JsonObject;

interface Started extends TestCluster {
  /** The paths of the calls, in order. */
  readonly calls: string[];
}

/** A cluster with a configuration `hooks` whose webhooks are functions. */
async function start(
  hooks: Readonly<Record<string, Hook>>,
  more: Readonly<Record<string, JsonObject>> = {},
  auditing?: ClusterOptions['auditing'],
): Promise<Started> {
  const calls: string[] = [];
  const outbound: Outbound = {
    async send({ url, body = '' }) {
      const name = new URL(url).pathname.slice(1);
      calls.push(name);
      const { request } = JSON.parse(body) as { request: { uid: string; object: JsonObject } };
      const made = hooks[name]?.(request.object) ?? [];
      const patched = Array.isArray(made) ? { allowed: true, patch: btoa(JSON.stringify(made)), patchType: 'JSONPatch' } : made;
      const response = { uid: request.uid, ...patched };
      return { status: 200, headers: {}, body: JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response }) };
    },
  };
  const cluster = await startTestCluster({
    admission: { ...clusterDefaults.admission, defaultOffPlugins: createOptionalPlugins, outbound },
    auditing,
  });
  const webhooks = Object.keys(hooks).map((name) => ({
    name: `${name}.example.com`,
    clientConfig: { url: `https://hooks.example.com/${name}` },
    rules: allMaps,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...more[name],
  }));
  await cluster.create(configurations, { metadata: { name: 'hooks' }, webhooks });
  return { ...cluster, calls };
}

const add =
  (path: string, value: unknown): Hook =>
  () => [{ op: 'add', path, value } as JsonObject];

/** Rules of another operation than CREATE. */
const onlyFor = (operation: string, resource: string): JsonObject => ({
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: [operation], resources: [resource] }],
});

const createMap = async ({ send }: TestCluster, query = ''): Promise<JsonObject> => {
  const answer = await send('POST', `${maps}${query}`, { metadata: { name: 'a' }, data: { start: 'yes' } });
  return { ...(bodyOf(answer) as unknown as JsonObject), status: answer.status };
};

test('webhooks change the object one after the other, in order', async () => {
  const seen: unknown[] = [];
  const cluster = await start({
    first: add('/data/first', '1'),
    second: (object) => {
      seen.push(object['data']);
      return [{ op: 'add', path: '/data/second', value: '2' }];
    },
  });
  expect(await createMap(cluster)).toMatchObject({ status: 201, data: { start: 'yes', first: '1', second: '2' } });
  expect(seen).toEqual([{ start: 'yes', first: '1' }]);
  expect(cluster.calls).toEqual(['first', 'second']);
});

test('a webhook that is reinvoked if needed sees later changes, once', async () => {
  const count: Hook = (object) => [{ op: 'add', path: '/data/calls', value: `${(object['data'] as JsonObject)['calls'] ?? ''}x` }];
  const cluster = await start({ count, later: add('/data/later', '1') }, { count: { reinvocationPolicy: 'IfNeeded' } });
  expect(await createMap(cluster)).toMatchObject({ data: { calls: 'xx', later: '1' } });
  expect(cluster.calls).toEqual(['count', 'later', 'count']);
});

test('a patch that changes nothing causes no second round', async () => {
  const cluster = await start({ one: () => [], two: add('/data/start', 'yes') }, { one: { reinvocationPolicy: 'IfNeeded' } });
  expect(await createMap(cluster)).toMatchObject({ status: 201, data: { start: 'yes' } });
  expect(cluster.calls).toEqual(['one', 'two']);
});

test('unknown fields of a patch are dropped, defaults are set, and the result is validated', async () => {
  const cluster = await start({ one: add('/unknown', { a: 1 }), two: add('/data/not~1allowed', 'x') });
  expect(await createMap(cluster)).toMatchObject({
    status: 422,
    message: expect.stringContaining('data[not/allowed]: Invalid value: "not/allowed"'),
  });
});

test.each([
  [{ allowed: false, status: { message: 'never' } }, 400, 'admission webhook "one.example.com" denied the request: never'],
  [
    { allowed: true, patch: btoa('[]') },
    500,
    'Internal error occurred: failed calling webhook "one.example.com": received invalid webhook response: webhook returned response.patch but not response.patchType',
  ],
  [
    { allowed: true, patch: btoa('{'), patchType: 'JSONPatch' },
    500,
    'Internal error occurred: failed calling webhook "one.example.com": received undecodable patch in webhook response: unexpected end of JSON input',
  ],
  [
    { allowed: true, patch: btoa('[{"op":"add","path":"/x","value":1}]'), patchType: 'Other' },
    500,
    'Internal error occurred: failed calling webhook "one.example.com": unsupported patch type "Other"',
  ],
  [
    { allowed: true, patch: '!!', patchType: 'JSONPatch' },
    500,
    'Internal error occurred: failed calling webhook "one.example.com": failed to call webhook: illegal base64 data at input byte 0',
  ],
  [
    { allowed: 'yes' },
    500,
    'Internal error occurred: failed calling webhook "one.example.com": failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
  ],
  [
    { allowed: true, auditAnnotations: { a: 1 } },
    500,
    'Internal error occurred: failed calling webhook "one.example.com": failed to call webhook: json: cannot unmarshal number into Go struct field AdmissionResponse.response.auditAnnotations of type string',
  ],
  [
    { allowed: true, patch: btoa('[{"op":"replace","path":"/metadata/namespace","value":"kube-system"}]'), patchType: 'JSONPatch' },
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    { allowed: true, patch: btoa('[{"op":"remove","path":"/data/missing"}]'), patchType: 'JSONPatch' },
    500,
    expect.stringContaining('Internal error occurred: '),
  ],
])('the response %j of a webhook is answered %i', async (response, status, message) => {
  expect(await createMap(await start({ one: () => response }))).toMatchObject({ status, message });
});

test('the audit event has the mutation, and the patch at level Request', async () => {
  const ring = createAuditRing({ events: 100, bodies: 1e6 });
  const rules = 'rules: [{level: Request, resources: [{resources: [configmaps]}], omitStages: [RequestReceived]}, {level: None}]';
  const text = `apiVersion: audit.k8s.io/v1\nkind: Policy\n${rules}`;
  const policy = readAuditPolicyFile(text, productByName('kubernetes'), createMemoryLog());
  const cluster = await start(
    { one: () => [{ value: { z: '<1>', a: 'b' }, op: 'add', path: '/metadata/labels' }] },
    {},
    { policy, sink: ring },
  );
  await createMap(cluster);
  const patch = '[{"op":"add","path":"/metadata/labels","value":{"z":"\\u003c1\\u003e","a":"b"}}]';
  expect(ring.events.at(-1)?.annotations).toMatchObject({
    'mutation.webhook.admission.k8s.io/round_0_index_0': '{"configuration":"hooks","webhook":"one.example.com","mutated":true}',
    'patch.webhook.admission.k8s.io/round_0_index_0': `{"configuration":"hooks","webhook":"one.example.com","patch":${patch},"patchType":"JSONPatch"}`,
  });
});

test('a failed call is ignored with failurePolicy Ignore', async () => {
  const cluster = await start({ one: () => ({ allowed: true, patch: '*', patchType: 'JSONPatch' }) }, { one: { failurePolicy: 'Ignore' } });
  expect(await createMap(cluster)).toMatchObject({ status: 201, data: { start: 'yes' } });
});

test('a dry run is not sent to a webhook with side effects', async () => {
  const cluster = await start({ one: () => [] }, { one: { sideEffects: 'NoneOnDryRun' } });
  expect(await createMap(cluster, '?dryRun=All')).toMatchObject({ status: 201 });
  expect(cluster.calls).toEqual(['one']);
});

test('webhooks cannot change or block their own configuration', async () => {
  const everything = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];
  const cluster = await start({ deny: () => ({ allowed: false }) }, { deny: { rules: everything } });
  expect((await cluster.send('DELETE', `${configurations}/hooks`)).status).toBe(200);
  expect(cluster.calls).toEqual([]);
  expect(await createMap(cluster)).toMatchObject({ status: 201 });
});

test('fields that a webhook adds to a custom resource are pruned and defaulted by its schema, also in another version', async () => {
  const cluster = await start(
    {
      one: () => [
        { op: 'add', path: '/spec/unknown', value: 1 },
        { op: 'remove', path: '/spec/size' },
      ],
    },
    { one: { rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['*'], resources: ['things'] }] } },
  );
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer', default: 3 }, name: { type: 'string' } } } };
  const version = { served: true, schema: { openAPIV3Schema: { type: 'object', properties } } };
  await cluster.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Namespaced',
      versions: [
        { ...version, name: 'v1', storage: true },
        { ...version, name: 'v2', storage: false },
      ],
    },
  });
  const path = (name: string): string => `/apis/example.com/${name}/namespaces/default/things`;
  await cluster.until(path('v2'), ({ kind }) => kind === 'ThingList');
  for (const name of ['v1', 'v2']) {
    const thing = { apiVersion: `example.com/${name}`, kind: 'Thing', metadata: { name: `of-${name}` }, spec: { size: 9, name: 'x' } };
    const answer = await cluster.send('POST', path(name), thing);
    expect([answer.status, bodyOf(answer)['spec'], bodyOf(answer)['apiVersion']]).toEqual([
      201,
      { name: 'x', size: 3 },
      `example.com/${name}`,
    ]);
  }
  expect(cluster.calls).toEqual(['one', 'one']);
});

test('an update and a patch are changed, too', async () => {
  const cluster = await start({ one: add('/data/hook', 'x') });
  await createMap(cluster);
  const updated = await cluster.send('PUT', `${maps}/a`, { metadata: { name: 'a' }, data: { k: 'v' } });
  expect(bodyOf(updated)).toMatchObject({ data: { k: 'v', hook: 'x' } });
  const merge = { 'content-type': 'application/merge-patch+json' };
  const patched = await cluster.send('PATCH', `${maps}/a`, { data: { k: 'w', hook: null } }, merge);
  expect(bodyOf(patched)).toMatchObject({ data: { k: 'w', hook: 'x' } });
});

test('a webhook is called for deletions and connections, may refuse them, and cannot change what is deleted', async () => {
  const refuse = (): JsonObject => ({ allowed: false, status: { message: 'not now' } });
  const cluster = await start(
    { deletion: (object) => (object === null ? refuse() : []), connection: refuse },
    { deletion: onlyFor('DELETE', 'configmaps'), connection: onlyFor('CONNECT', 'pods/exec') },
  );
  expect((await createMap(cluster))['status']).toBe(201);
  const refused = { code: 400, message: 'admission webhook "deletion.example.com" denied the request: not now' };
  expect(bodyOf(await cluster.send('DELETE', `${maps}/a`))).toMatchObject(refused);
  expect(bodyOf(await cluster.send('DELETE', maps))).toMatchObject(refused);
  expect((await cluster.send('GET', `${maps}/a`)).status).toBe(200);
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await cluster.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await cluster.create('/api/v1/namespaces/default/pods', pod);
  expect(bodyOf(await cluster.send('GET', '/api/v1/namespaces/default/pods/p/exec?command=date'))).toMatchObject({
    code: 400,
    message: 'admission webhook "connection.example.com" denied the request: not now',
  });
  expect(cluster.calls).toEqual(['deletion', 'deletion', 'connection']);
});

test('a patch for a deletion is an error', async () => {
  const cluster = await start({ deletion: add('/data', {}) }, { deletion: onlyFor('DELETE', 'configmaps') });
  await createMap(cluster);
  expect(bodyOf(await cluster.send('DELETE', `${maps}/a`))).toMatchObject({
    code: 500,
    message:
      'Internal error occurred: admission webhook "deletion.example.com" attempted to modify the object, which is not supported for this operation',
  });
});
