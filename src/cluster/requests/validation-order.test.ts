import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const tooLong = `?fieldManager=${'x'.repeat(130)}`;
const strange = { 'content-type': 'application/x' };

test.each([
  ['POST', maps, 415],
  ['POST', '/api/v1/namespaces/default/pods/x/binding', 415],
  ['PATCH', `${maps}/a`, 415],
  ['PATCH', '/apis/apps/v1/namespaces/default/deployments/x/scale', 415],
  ['PUT', `${maps}/a`, 422],
  ['PUT', '/apis/apps/v1/namespaces/default/deployments/x/scale', 422],
])('%s %s with an invalid body and an invalid parameter answers %d', async (method, path, status) => {
  const { send } = await startTestCluster();
  expect((await send(method, path + tooLong, {}, strange)).status).toBe(status);
});

test('reports a scale without a name, whether or not its object exists', async () => {
  const { send } = await startTestCluster();
  const answer = await send('PUT', '/apis/apps/v1/namespaces/default/deployments/x/scale', {});
  expect(answer.status).toBe(400);
});

test('drops server-set metadata of a review, and owns none of it', async () => {
  const { send } = await startTestCluster();
  const metadata = { uid: 'u', selfLink: '/x', creationTimestamp: '2020-01-01T00:00:00Z', deletionTimestamp: '2020-01-01T00:00:00Z' };
  const spec = { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' }, user: 'bob' };
  const path = '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews';
  const answer = await send('POST', path, { metadata, spec });
  expect(answer.status).toBe(201);
  const { metadata: returned } = bodyOf(answer) as { metadata: JsonObject };
  expect(Object.keys(returned)).toEqual(['namespace', 'managedFields']);
  expect(JSON.stringify(returned['managedFields'])).not.toContain('f:metadata');
});

test.each([
  ['', 406],
  ['&timeoutSeconds=x', 400],
  ['&labelSelector=a=b=c', 400],
  ['&sendInitialEvents=true', 422],
  ['&resourceVersion=99999999999999999999', 500],
])('a watch%s in YAML answers %d', async (parameters, status) => {
  const { send } = await startTestCluster();
  const answer = await send('GET', `${maps}?watch=1${parameters}`, undefined, { accept: 'application/yaml' });
  expect(answer.status).toBe(status);
});

test('rejects a deletion by an unknown field before its invalid body', async () => {
  const { send } = await startTestCluster();
  expect((await send('DELETE', `${maps}?fieldSelector=spec.x=y`, {}, strange)).status).toBe(400);
  expect((await send('DELETE', maps, {}, strange)).status).toBe(415);
});

test.each(['PUT', 'PATCH'])('%s of an object with another name and namespace reports the namespace', async (method) => {
  const { send } = await startTestCluster();
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'other' } };
  const type = method === 'PUT' ? 'application/json' : 'application/apply-patch+yaml';
  const answer = await send(method, `${maps}/a?fieldManager=m`, other, { 'content-type': type });
  expect(bodyOf(answer)['message']).toBe('the namespace of the provided object does not match the namespace sent on the request');
});

test.each([
  [
    { uid: 1 },
    'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.uid: expected string, got &value.valueUnstructured{Value:1}',
  ],
  [
    { creationTimestamp: {} },
    'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.creationTimestamp: expected any scalar, got &{map[]}',
  ],
  [
    { creationTimestamp: 1 },
    'failed to convert new object (/a; /v1, Kind=ConfigMap) to proper version: unable to convert unstructured object to /v1, Kind=ConfigMap: json: cannot unmarshal number into Go value of type string',
  ],
])('reports applied metadata %o of another type', async (metadata, message) => {
  const { send } = await startTestCluster();
  const intent = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata } };
  const answer = await send('PATCH', `${maps}/a?fieldManager=m`, intent, { 'content-type': 'application/apply-patch+yaml' });
  expect(bodyOf(answer)['message']).toBe(message);
});

test('reports the first invalid member in the order of the patched text', async () => {
  const { send } = await startTestCluster();
  await send('POST', maps, { metadata: { name: 'a' }, data: { k: 'v' } });
  const patch = { metadata: { generation: false, finalizers: [{}] }, data: { k: 1.0 } };
  const answer = await send('PATCH', `${maps}/a`, patch, { 'content-type': 'application/merge-patch+json' });
  expect(bodyOf(answer)['message']).toMatch(/: json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/);
});

test('rejects an apply with a non-string apiVersion as an invalid object type', async () => {
  const { send } = await startTestCluster();
  const type = { 'content-type': 'application/apply-patch+yaml' };
  const answer = await send('PATCH', `${maps}/a?fieldManager=m`, { apiVersion: 0, kind: 'ConfigMap', metadata: { name: 'a' } }, type);
  expect(bodyOf(answer)['message']).toBe('invalid object type: /, Kind=ConfigMap');
});

test('the health check port of a load balancer is immutable', async () => {
  const { send, create } = await startTestCluster();
  const services = '/api/v1/namespaces/default/services';
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] };
  await create(services, { metadata: { name: 'a' }, spec: { ...spec, healthCheckNodePort: 31_236 } });
  const put = (healthCheckNodePort: number) =>
    send('PUT', `${services}/a`, { metadata: { name: 'a' }, spec: { ...spec, healthCheckNodePort } });
  expect((await put(0)).status).toBe(200);
  expect(bodyOf(await put(31_237))).toMatchObject({
    code: 422,
    message: 'Service "a" is invalid: spec.healthCheckNodePort: Forbidden: field is immutable',
  });
});

test('an update of a missing object with a UID answers 404 where the kind is not created by updates', async () => {
  const { send } = await startTestCluster();
  const metadata = { name: 'none', uid: '262d3453-63ce-474b-bd38-a61cb9471e39' };
  for (const query of ['', '?dryRun=All']) {
    expect((await send('PUT', `${maps}/none${query}`, { metadata })).status).toBe(404);
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    expect((await send('PUT', `${leases}/none${query}`, { metadata })).status).toBe(409);
  }
});

test('a name that is taken answers with Retry-After when the object has a generateName', async () => {
  const { send, create } = await startTestCluster();
  const metadata = { name: 'a', generateName: 'a-' };
  await create(maps, { metadata });
  for (const query of ['', '?dryRun=All']) {
    const answer = await send('POST', maps + query, { metadata });
    expect(new Map(answer.headers).get('retry-after')).toBe('1');
    expect(bodyOf(answer)).toMatchObject({
      code: 409,
      message: 'configmaps "a" already exists, the server was not able to generate a unique name for the object',
      details: { name: 'a', kind: 'configmaps', retryAfterSeconds: 1 },
    });
  }
});

test('a terminating namespace rejects new content by the name of the request, the object, or its prefix', async () => {
  const { send, create } = await startTestCluster();
  await create('/api/v1/namespaces', { metadata: { name: 'n', finalizers: ['a.b/c'] } });
  await send('DELETE', '/api/v1/namespaces/n');
  const rejected = async (path: string, metadata: JsonObject): Promise<unknown> =>
    bodyOf(await send('POST', `/api/v1/namespaces/n/${path}`, { metadata }))['message'];
  const why = 'is forbidden: unable to create new content in namespace n because it is being terminated';
  expect(await rejected('configmaps', { generateName: 'g-' })).toBe(`configmaps "g-" ${why}`);
  expect(await rejected('configmaps', {})).toBe(`configmaps "Unknown" ${why}`);
  expect(await rejected('serviceaccounts/default/token', {})).toBe(`serviceaccounts "default" ${why}`);
});
