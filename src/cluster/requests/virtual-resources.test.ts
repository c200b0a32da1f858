import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

type Send = (method: string, target: string, body?: object, token?: string) => Promise<Answer>;

async function running(): Promise<Send> {
  const cluster = await startTestCluster();
  return async (method, target, body, token = 'admin') => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await cluster.send(method, target, body, { authorization: `Bearer ${token}`, 'content-type': type });
    return { status: answer.status, body: bodyOf(answer) as JsonObject };
  };
}

const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string): object => ({ metadata: { name, labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } });
const eviction = (name: string): object => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });

async function withPod(name: string): Promise<Send> {
  const send = await running();
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  expect((await send('POST', pods, pod(name))).status).toBe(201);
  return send;
}

test('binds a pod to a node once', async () => {
  const send = await withPod('a');
  const binding = { metadata: { name: 'a' }, target: { kind: 'Node', name: 'n1' } };
  expect(await send('POST', `${pods}/a/binding?dryRun=All`, binding)).toMatchObject({
    status: 201,
    body: { status: 'Success', code: 201 },
  });
  expect((await send('GET', `${pods}/a`)).body['spec']).not.toHaveProperty('nodeName');
  await send('POST', `${pods}/a/binding`, binding);
  const bound = (await send('GET', `${pods}/a`)).body;
  expect(bound).toMatchObject({
    metadata: { generation: 1 },
    spec: { nodeName: 'n1' },
    status: { conditions: [{ type: 'PodScheduled' }] },
  });
  expect(await send('POST', `${pods}/a/binding`, binding)).toMatchObject({
    status: 409,
    body: { message: 'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "n1"' },
  });
});

test('decrements the budget by an eviction, and rejects it at zero', async () => {
  const send = await withPod('a');
  await send('POST', pods, pod('b'));
  const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
  for (const name of ['a', 'b']) await send('PATCH', `${pods}/${name}/status`, running);
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  await send('POST', budgets, { metadata: { name: 'p' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } } });
  const counted = { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
  await send('PATCH', `${budgets}/p/status`, { status: counted });
  expect((await send('POST', `${pods}/a/eviction`, eviction('a'))).status).toBe(201);
  expect((await send('GET', `${pods}/a`)).status).toBe(404);
  const status = { disruptionsAllowed: 0, conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }] };
  expect((await send('GET', `${budgets}/p`)).body).toMatchObject({ status });
  expect(await send('POST', `${pods}/b/eviction`, eviction('b'))).toMatchObject({
    status: 429,
    body: { details: { causes: [{ reason: 'DisruptionBudget' }] } },
  });
});

test('answers reviews by authenticator and authorizer, and stores nothing', async () => {
  const send = await running();
  const access = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const spec = (user: string, groups: readonly string[]): object => ({
    spec: { user, groups, resourceAttributes: { verb: 'get', resource: 'pods' } },
  });
  expect((await send('POST', access, spec('x', ['system:masters']))).body).toMatchObject({ status: { allowed: true } });
  expect((await send('POST', access, spec('bob', []))).body).toMatchObject({ status: { allowed: false } });
  expect((await send('POST', access, { spec: {} })).status).toBe(422);
  const tokens = '/apis/authentication.k8s.io/v1/tokenreviews';
  expect((await send('POST', tokens, { spec: { token: 'bob' } })).body).toMatchObject({
    status: { authenticated: true, user: { username: 'bob' } },
  });
  expect((await send('POST', tokens, { spec: { token: 'nobody' } })).body).toMatchObject({ status: { error: 'invalid bearer token' } });
  expect((await send('GET', `${tokens}/x`)).status).toBe(404);
});

test('rejects a token for a pod of another account', async () => {
  const send = await withPod('a');
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'other' } });
  const bound = { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'a' } } };
  expect(await send('POST', '/api/v1/namespaces/default/serviceaccounts/other/token', bound)).toMatchObject({
    status: 400,
    body: { message: 'cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.' },
  });
});

test('binds a token only to a named object, in a version without group', async () => {
  const send = await withPod('a');
  const target = '/api/v1/namespaces/default/serviceaccounts/default/token';
  const tokenRequest = (boundObjectRef: object): object => ({ spec: { boundObjectRef } });
  expect(await send('POST', target, tokenRequest({ kind: 'Pod', apiVersion: 'v1', name: '' }))).toMatchObject({
    status: 400,
    body: { message: 'Name parameter required.' },
  });
  expect(await send('POST', target, tokenRequest({ kind: 'Pod', apiVersion: 'apps/v1', name: 'a' }))).toMatchObject({
    status: 400,
    body: { message: 'cannot bind token to object of type apps/v1, Kind=Pod' },
  });
  // An invalid apiVersion counts as empty; then only the signing key is missing here.
  expect(await send('POST', target, tokenRequest({ kind: 'Pod', apiVersion: 'a/b/c', name: 'a' }))).toMatchObject({
    status: 500,
    body: { message: 'Internal error occurred: failed to generate token: no tokens are signed here' },
  });
});

test('releases a service address with its service, and allocates none in a dry run', async () => {
  const send = await running();
  const services = '/api/v1/namespaces/default/services';
  const service = { metadata: { name: 's' }, spec: { clusterIP: '10.96.0.9', ports: [{ port: 80 }] } };
  const other = { ...service, metadata: { name: 't' } };
  expect((await send('POST', `${services}?dryRun=All`, service)).status).toBe(201);
  expect((await send('POST', services, service)).status).toBe(201);
  expect(await send('POST', services, other)).toMatchObject({ status: 422, body: { details: { name: 't', kind: 'Service' } } });
  await send('DELETE', `${services}/s`);
  expect((await send('POST', services, other)).status).toBe(201);
});

test('computes component statuses without storing them', async () => {
  const send = await running();
  const all = '/api/v1/componentstatuses';
  const { body } = await send('GET', all);
  expect(body['metadata']).toEqual({});
  expect(body['items']).toMatchObject([
    { metadata: { name: 'scheduler' }, conditions: [{ type: 'Healthy', status: 'False' }] },
    { metadata: { name: 'controller-manager' } },
    { metadata: { name: 'etcd-0' }, conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }] },
  ]);
  expect((await send('GET', `${all}?fieldSelector=metadata.name%3Detcd-0`)).body['items']).toHaveLength(1);
  expect((await send('GET', `${all}?labelSelector=a%3Db`)).body['items']).toEqual([]);
  expect((await send('GET', `${all}/etcd-0`)).body).toMatchObject({ kind: 'ComponentStatus', metadata: { name: 'etcd-0' } });
  expect((await send('GET', `${all}/nope`)).body['message']).toBe('componentstatus "nope" not found');
  expect((await send('GET', `${all}?watch=true`)).body).toMatchObject({
    code: 405,
    details: { kind: 'componentstatuses' },
    message: 'watch is not supported on resources of kind "componentstatuses"',
  });
});

test('retains the given status of a token review without a result', async () => {
  const send = await running();
  const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
  const status = { authenticated: true, user: { username: 'sent' }, audiences: ['sent'], error: 'sent' };
  expect((await send('POST', reviews, { spec: { token: 'nobody' }, status })).body['status']).toEqual({
    user: { username: 'sent' },
    audiences: ['sent'],
    error: expect.stringContaining('invalid bearer token'),
  });
  expect((await send('POST', reviews, { spec: { token: 'bob' }, status })).body['status']).toMatchObject({
    authenticated: true,
    user: { username: 'bob' },
    error: 'sent',
  });
});
