import { expect, test } from 'vitest';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const yaml = { 'content-type': 'application/yaml' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };
const merge = { 'content-type': 'application/merge-patch+json' };

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function messageOf(answer: ReturnType<TestCluster['send']>): Promise<unknown> {
  return bodyOf(await answer)['message'];
}

test('reports duplicate and unknown fields in the order of the text', async () => {
  const { send } = await startTestCluster();
  const body = bytes(
    '{"z":1,"metadata":{"name":"a","name":"a","b":0},"2":0,"data":{"x":"1","x":"2"},"1":0,"z":2,"apiVersion":"v1","metadata":{}}',
  );
  const strict = await messageOf(send('POST', `${maps}?fieldValidation=Strict`, body));
  const problems = [
    'unknown field "z"',
    'duplicate field "metadata.name"',
    'unknown field "metadata.b"',
    'unknown field "2"',
    'duplicate field "data.x"',
    'unknown field "1"',
    'duplicate field "metadata"',
  ];
  expect(strict).toBe(`ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${problems.join(', ')}`);
  const { headers } = await send('POST', maps, body);
  const warnings = headers.filter(([name]) => name.toLowerCase() === 'warning').map(([, text]) => text);
  expect(warnings).toEqual(problems.map((problem) => `299 - "${problem.replaceAll('"', '\\"')}"`));
});

test('reports no unknown fields in untyped values', async () => {
  const { send } = await startTestCluster();
  const body = bytes('{"metadata":{"name":"a"},"z":{"x":1,"x":1},"z":1,"data":{"k":"1","k":"2"}}');
  const strict = await messageOf(send('POST', `${maps}?fieldValidation=Strict`, body));
  expect(strict).toMatch(/: strict decoding error: unknown field "z", duplicate field "data.k"$/);
  const definition = bytes(
    '{"metadata":{"name":"x"},"spec":{"versions":[{"schema":{"openAPIV3Schema":{"default":{"a":1,"a":2}}}}],"scope":"","scope":""}}',
  );
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldValidation=Strict';
  expect(await messageOf(send('POST', path, definition))).toMatch(/: strict decoding error: duplicate field "spec.scope"$/);
});

test('reports at most a hundred unknown and duplicate fields', async () => {
  const { send } = await startTestCluster();
  const many = Array.from({ length: 80 }, (_, index) => `"u${index}":1,"metadata":{"name":"n"},"data":{"d${index}":"","d${index}":""}`);
  const strict = await messageOf(send('POST', `${maps}?fieldValidation=Strict`, bytes(`{${many.join()}}`)));
  const problems = String(strict).split('strict decoding error: ')[1]?.split(', ') ?? [];
  expect(problems).toHaveLength(100);
  expect(problems.slice(0, 5)).toEqual([
    'unknown field "u0"',
    'duplicate field "data.d0"',
    'unknown field "u1"',
    'duplicate field "metadata"',
    'duplicate field "data"',
  ]);
});

test('reports YAML fields sorted by name, after its duplicate keys as one error', async () => {
  const { send } = await startTestCluster();
  const body = bytes('metadata:\n  z: 1\n  name: a\n  name: a\nzz: 1\ndata:\n  k: v\n  k: w\na-b: 1\na:\n  c: 1\n');
  expect(await messageOf(send('POST', `${maps}?fieldValidation=Strict`, body, yaml))).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n' +
      '  line 4: key "name" already set in map\n  line 8: key "k" already set in map, ' +
      'unknown field "a", unknown field "a-b", unknown field "metadata.z", unknown field "zz"',
  );
  const wrong = bytes('spec:\n  replicas: x\n  paused: 1\nmetadata: 5\n');
  expect(await messageOf(send('POST', deployments, wrong, yaml))).toMatch(
    /cannot unmarshal number into Go struct field Deployment.metadata /,
  );
});

test('decodes a JSON patch itself strictly', async () => {
  const { send } = await startTestCluster();
  await send('POST', maps, { metadata: { name: 'a' } });
  const patch = bytes(
    '[{"op":"add","path":"/data","value":{"k":"v","k":"w"},"op":"add","extra":1},{"OP":1,"op":"add","path":"/u","value":1,"from":""}]',
  );
  const problems = [
    'json patch duplicate field "[0].value.k"',
    'json patch duplicate field "[0].op"',
    'json patch unknown field "[0].extra"',
    'json patch unknown field "[1].OP"',
    'unknown field "u"',
  ];
  const strict = bodyOf(await send('PATCH', `${maps}/a?fieldValidation=Strict`, patch, jsonPatch));
  expect(strict).toMatchObject({ code: 422, message: expect.stringMatching(/: strict decoding error: /) });
  expect(String(strict['message']).split('strict decoding error: ')[1]).toBe(problems.join(', '));
  const { status, headers } = await send('PATCH', `${maps}/a`, patch, jsonPatch);
  expect(status).toBe(200);
  const warnings = headers.filter(([name]) => name.toLowerCase() === 'warning').map(([, text]) => text);
  expect(warnings).toEqual(problems.map((problem) => `299 - "${problem.replaceAll('"', '\\"')}"`));
  const ignored = await send('PATCH', `${maps}/a?fieldValidation=Ignore`, patch, jsonPatch);
  expect(ignored.status).toBe(200);
  expect(ignored.headers.filter(([name]) => name.toLowerCase() === 'warning')).toEqual([]);
});

test.each([
  [jsonPatch, '{}', 'json: cannot unmarshal object into Go value of type ', '[]handlers.jsonPatchOp', 'jsonpatch.Patch'],
  [jsonPatch, '[1]', 'json: cannot unmarshal number into Go value of type ', 'handlers.jsonPatchOp', 'jsonpatch.Operation'],
])('checks the type that a patch %j %s does not fit depending on fieldValidation', async (headers, text, lead, strict, loose) => {
  const { send } = await startTestCluster();
  await send('POST', maps, { metadata: { name: 'a' } });
  const sent = (query: string) => messageOf(send('PATCH', `${maps}/a${query}`, bytes(text), headers));
  expect(await sent('')).toBe(`error decoding patch: ${lead}${strict}`);
  expect(await sent('?fieldValidation=Ignore')).toBe(`${lead}${loose}`);
});

test.each(['{', '1', 'null'])('rejects a merge patch %s without validation as invalid', async (text) => {
  const { send } = await startTestCluster();
  await send('POST', maps, { metadata: { name: 'a' } });
  expect(await messageOf(send('PATCH', `${maps}/a?fieldValidation=Ignore`, bytes(text), merge))).toBe('Invalid JSON Patch');
});

test('answers 413 for too many patch operations', async () => {
  const { send } = await startTestCluster();
  await send('POST', maps, { metadata: { name: 'a' } });
  const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' }));
  expect(bodyOf(await send('PATCH', `${maps}/a`, operations, jsonPatch))).toMatchObject({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  });
});

test('reads kind and apiVersion in any case, the last of them, but as fields in one case only', async () => {
  const { send } = await startTestCluster();
  const metadata = { name: 'a' };
  const sent = (body: object, query = '') => send('POST', `${maps}${query}`, body);
  expect(await messageOf(sent({ KIND: 'Pod', metadata }))).toMatch(/^Pod in version "v1" cannot be handled as a ConfigMap: /);
  expect(await messageOf(sent({ kind: 'ConfigMap', Kind: 'Secret', metadata }))).toMatch(/^Secret in version "v1" cannot be handled/);
  expect(await messageOf(sent({ APIVERSION: 'v7', metadata }))).toMatch(/no kind "ConfigMap" is registered for version "v7"/);
  expect(await messageOf(sent({ KIND: 5, metadata }))).toMatch(/cannot unmarshal number into Go struct field .kind of type string/);
  expect(await messageOf(sent({ KIND: 'ConfigMap', metadata }, '?fieldValidation=Strict'))).toMatch(/error: unknown field "KIND"$/);
  const { status, headers } = await sent({ KIND: 'ConfigMap', apiVERSION: 'v1', metadata });
  expect([status, headers.filter(([name]) => name.toLowerCase() === 'warning').length]).toEqual([201, 2]);
});
