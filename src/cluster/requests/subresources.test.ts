import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const core = '/api/v1/namespaces/default';
const containers = [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '100m' } } }];
const merge = { 'content-type': 'application/merge-patch+json' };
const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
const noUid = '11111111-1111-1111-1111-111111111111';

interface Answered {
  readonly status: number;
  readonly body: JsonObject;
}

type Send = (...request: Parameters<Awaited<ReturnType<typeof startTestCluster>>['send']>) => Promise<Answered>;

async function running(): Promise<Send> {
  const cluster = await startTestCluster();
  const send: Send = async (...request) => {
    const answer = await cluster.send(...request);
    return { status: answer.status, body: bodyOf(answer) as JsonObject };
  };
  await send('POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } });
  await send('POST', `${core}/pods`, { metadata: { name: 'a', labels: { app: 'a' } }, spec: { containers } });
  return send;
}

test('checks uid and resourceVersion of a binding', async () => {
  const send = await running();
  const target = { kind: 'Node', name: 'n' };
  const bind = (metadata: object) => send('POST', `${core}/pods/a/binding`, { metadata: { name: 'a', ...metadata }, target });
  const refused = await bind({ uid: noUid });
  expect(refused.status).toBe(409);
  expect(refused.body['message']).toMatch(
    new RegExp(
      `^Operation cannot be fulfilled on pods "a": StorageError: invalid object, Code: 4, Key: /registry/pods/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${noUid}, UID in object meta: `,
    ),
  );
  expect((await bind({ resourceVersion: '1' })).body['message']).toContain('ResourceVersion in precondition: 1');
  const { uid, resourceVersion } = (await send('GET', `${core}/pods/a`)).body['metadata'] as JsonObject;
  expect((await bind({ uid, resourceVersion })).status).toBe(201);
  // The old form has no preconditions.
  const again = await send('POST', `${core}/bindings`, { metadata: { name: 'a', uid: noUid }, target });
  expect(again.body['message']).toBe('Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "n"');
});

test('reports all errors of a binding at once, and requires a name', async () => {
  const send = await running();
  const wrong = await send('POST', `${core}/pods/a/binding`, { metadata: { name: 'a' }, target: { kind: 'Pod' } });
  expect(wrong).toMatchObject({
    status: 500,
    body: { message: '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]' },
  });
  const unnamed = await send('POST', `${core}/bindings`, { metadata: { name: '' }, target: { name: 'n' } });
  expect(unnamed).toMatchObject({ status: 400, body: { message: 'Name parameter required.' } });
});

const eviction = (deleteOptions: object, apiVersion = 'policy/v1'): object => ({
  apiVersion,
  kind: 'Eviction',
  metadata: { name: 'a' },
  deleteOptions,
});

test("leaves a pod unchanged when an eviction's preconditions fail, or its dry run is invalid", async () => {
  const send = await running();
  const evict = (options: object) => send('POST', `${core}/pods/a/eviction`, eviction(options));
  const before = (await send('GET', `${core}/pods/a`)).body;
  expect((await evict({ preconditions: { uid: noUid } })).status).toBe(409);
  expect(await evict({ ignoreStoreReadErrorWithClusterBreakingPotential: true })).toMatchObject({ status: 422 });
  expect(await evict({ dryRun: ['Whatever'] })).toMatchObject({
    status: 422,
    body: { message: 'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Whatever"]: supported values: "All"' },
  });
  expect((await evict({ dryRun: ['All'] })).status).toBe(201);
  expect((await send('GET', `${core}/pods/a`)).body).toEqual(before);
  const { resourceVersion } = before['metadata'] as JsonObject;
  expect((await evict({ preconditions: { resourceVersion } })).status).toBe(201);
  expect((await send('GET', `${core}/pods/a`)).status).toBe(404);
});

test('accepts an eviction in version v1beta1', async () => {
  const send = await running();
  expect((await send('POST', `${core}/pods/a/eviction`, eviction({}, 'policy/v1beta1'))).status).toBe(201);
  expect((await send('POST', `${core}/pods/a/eviction`, eviction({}, 'policy/v2'))).status).toBe(400);
});

test('owns the budget status that an eviction changes as kube-apiserver', async () => {
  const send = await running();
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  await send('POST', budgets, { metadata: { name: 'b' }, spec: { minAvailable: 0, selector: { matchLabels: { app: 'a' } } } });
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await send('PATCH', `${core}/pods/a/status`, { status: ready }, merge);
  const status = { observedGeneration: 1, disruptionsAllowed: 2, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 };
  await send('PATCH', `${budgets}/b/status`, { status }, merge);
  expect((await send('POST', `${core}/pods/a/eviction`, eviction({}))).status).toBe(201);
  const budget = (await send('GET', `${budgets}/b`)).body;
  expect(budget['status']).toMatchObject({ disruptionsAllowed: 1, disruptedPods: { a: expect.any(String) } });
  const owners = (budget['metadata'] as JsonObject)['managedFields'] as readonly JsonObject[];
  expect(owners.find(({ manager }) => manager === 'kube-apiserver')).toMatchObject({
    subresource: 'status',
    fieldsV1: { 'f:status': { 'f:disruptionsAllowed': {}, 'f:disruptedPods': { '.': {}, 'f:a': {} } } },
  });
});

test.each([
  { selector: {}, labels: {}, guards: true },
  { selector: {}, labels: { app: 'x' }, guards: true },
  { selector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, labels: {}, guards: true },
  { selector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['x'] }] }, labels: {}, guards: true },
  { selector: { matchLabels: { app: 'x' } }, labels: {}, guards: false },
  { selector: undefined, labels: {}, guards: false },
])('a budget that selects $selector guards a pod labelled $labels: $guards', async ({ selector, labels, guards }) => {
  const send = await running();
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  await send('POST', budgets, { metadata: { name: 'b' }, spec: { minAvailable: 1, selector } });
  await send('POST', `${core}/pods`, { metadata: { name: 'p', labels }, spec: { containers } });
  await send('PATCH', `${core}/pods/p/status`, { status: { phase: 'Running' } }, merge);
  await send('PATCH', `${budgets}/b/status`, { status: { observedGeneration: 1, desiredHealthy: 1 } }, merge);
  const answer = await send('POST', `${core}/pods/p/eviction`, { ...eviction({}), metadata: { name: 'p' } });
  expect(answer.status).toBe(guards ? 429 : 201);
  if (!guards) return;
  expect(answer.body).toMatchObject({
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    reason: 'TooManyRequests',
    details: { causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget b needs 1 healthy pods and has 0 currently' }] },
    code: 429,
  });
});

test('rejects a resize that adds or renames containers', async () => {
  const send = await running();
  const resize = (name: string) =>
    send(
      'PATCH',
      `${core}/pods/a/resize`,
      { spec: { containers: [{ name, image: 'i', resources: { requests: { cpu: '1' } } }] } },
      strategic,
    );
  expect(await resize('other')).toMatchObject({
    status: 422,
    body: { details: { causes: [{ field: 'spec.containers', message: 'Forbidden: containers may not be added or removed on resize' }] } },
  });
  expect((await resize('c')).status).toBe(200);
});

test('the UID of a token request is a precondition', async () => {
  const send = await running();
  const account = `${core}/serviceaccounts/default`;
  const { metadata } = (await send('GET', account)).body as { metadata: JsonObject };
  const request = (uid: string) => send('POST', `${account}/token`, { metadata: { uid }, spec: {} });
  // The test cluster has no key to sign tokens.
  expect((await request(String(metadata['uid']))).status).toBe(500);
  expect(await request(noUid)).toMatchObject({
    status: 409,
    body: {
      message: `Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "default": the UID in the token request (${noUid}) does not match the UID of the service account (${metadata['uid']})`,
    },
  });
});

test('validates name and namespace of a scale', async () => {
  const send = await running();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  await send('POST', deployments, { metadata: { name: 'w' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
  const scale = (metadata: object) =>
    send('PUT', `${deployments}/w/scale`, { metadata: { name: 'w', ...metadata }, spec: { replicas: 2 } });
  expect(await scale({ namespace: 'other' })).toMatchObject({
    status: 400,
    body: { message: 'the namespace of the provided object does not match the namespace sent on the request' },
  });
  const other = await scale({ uid: noUid });
  expect(other.status).toBe(409);
  expect(other.body['message']).toContain(`AdditionalErrorMsg: Precondition failed: UID in precondition: ${noUid}`);
  const patched = await send('PATCH', `${deployments}/w/scale`, { metadata: { uid: noUid } }, merge);
  expect(patched).toMatchObject({
    status: 409,
    body: {
      message: expect.stringMatching(
        `^Operation cannot be fulfilled on deployments/scale.apps "w": Precondition failed: UID in precondition: ${noUid}, UID in object meta: `,
      ),
      details: { name: 'w', group: 'apps', kind: 'deployments/scale' },
    },
  });
  expect((await scale({})).status).toBe(200);
});

test('reports namespace finalizers by index in finalize, and by list elsewhere', async () => {
  const send = await running();
  const body = { metadata: { name: 'n' }, spec: { finalizers: ['a.b/c', 'x'] } };
  const field = async (method: string, path: string): Promise<unknown> => (await send(method, path, body)).body['details'];
  expect(await field('POST', '/api/v1/namespaces')).toMatchObject({ causes: [{ field: 'spec.finalizers' }] });
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
  expect(await field('PUT', '/api/v1/namespaces/n/finalize')).toMatchObject({ causes: [{ field: 'spec.finalizers[1]' }] });
});
