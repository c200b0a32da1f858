import { beforeEach, expect, test } from 'vitest';
import { type HttpResponse, sendHttp, serveHttp } from '../../http/index.ts';
import type { ClusterNetwork } from '../../network/index.ts';
import { createLoopback } from '../pod/loopback.test-support.ts';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

interface Review {
  readonly spec: { readonly user: string; readonly groups: readonly string[]; readonly resourceAttributes?: object };
}

const reviews: Review[] = [];

/** A network in which an API server permits everything to users other than `eve`. */
function createNetworkWithApi(): ClusterNetwork {
  const network = createLoopback();
  network.namespace.listen({ port: 6443 }, (connection) => {
    void serveHttp(connection, async ({ body }) => {
      let text = '';
      for await (const bytes of body) text += new TextDecoder().decode(bytes);
      const review = JSON.parse(text) as Review;
      reviews.push(review);
      const response = { ...review, status: { allowed: review.spec.user !== 'eve' } };
      return { status: 201, headers: [], body: JSON.stringify(response) };
    });
  });
  return network;
}

let pod: TestSandbox;

beforeEach(async () => {
  reviews.length = 0;
  pod = new TestSandbox({}, {}, createNetworkWithApi());
  const env = [
    { name: 'KUBERNETES_SERVICE_HOST', value: '10.96.0.1' },
    { name: 'KUBERNETES_SERVICE_PORT', value: '6443' },
  ];
  await pod.start({ args: ['--etcd-servers=http://localhost:2379'], env }, 'registry.k8s.io/e2e-test-images/sample-apiserver');
  await pod.advance(1);
});

const users = [
  ['X-Remote-User', 'admin'],
  ['X-Remote-Group', 'a'],
  ['X-Remote-Group', 'b'],
] as const;

async function send(
  method: string,
  target: string,
  {
    body,
    headers = users,
    type = 'application/json',
  }: { body?: object; headers?: readonly (readonly [string, string])[]; type?: string } = {},
): Promise<HttpResponse> {
  const stream = await pod.sandbox.dial(443, new AbortController().signal);
  return sendHttp(stream, {
    method,
    target,
    headers: [['Host', 'web'], ['Content-Type', type], ...headers],
    body: body && new TextEncoder().encode(JSON.stringify(body)),
  });
}

async function call(...request: Parameters<typeof send>): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await send(...request);
  let text = '';
  for await (const bytes of response.body) text += new TextDecoder().decode(bytes);
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
}

const alpha = '/apis/wardle.example.com/v1alpha1';
const flunders = `${alpha}/namespaces/ns/flunders`;

const flunder = (name: string, fields: object = {}): object => ({
  apiVersion: 'wardle.example.com/v1alpha1',
  kind: 'Flunder',
  metadata: { name },
  ...fields,
});

test('flunders are created, listed, updated, patched and deleted', async () => {
  const created = await call('POST', flunders, { body: flunder('a', { spec: { reference: 'b' } }) });
  expect(created).toMatchObject({
    status: 201,
    body: { kind: 'Flunder', metadata: { name: 'a', namespace: 'ns' }, spec: { reference: 'b', referenceType: 'Flunder' } },
  });
  expect(await call('POST', flunders, { body: flunder('a') })).toMatchObject({
    status: 409,
    body: { message: 'flunders.wardle.example.com "a" already exists' },
  });
  expect(await call('GET', `/apis/wardle.example.com/v1beta1/namespaces/ns/flunders/a`)).toMatchObject({
    body: { apiVersion: 'wardle.example.com/v1beta1', spec: { flunderReference: 'b', referenceType: 'Flunder' } },
  });
  expect(await call('PUT', `${flunders}/a`, { body: flunder('a') })).toMatchObject({
    status: 422,
    body: {
      message: 'Flunder.wardle.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    },
  });
  const patch = { metadata: { labels: { app: 'x' } } };
  expect(await call('PATCH', `${flunders}/a`, { body: patch, type: 'application/merge-patch+json' })).toMatchObject({
    status: 200,
    body: { metadata: { labels: { app: 'x' }, uid: (created.body['metadata'] as { readonly uid: string }).uid } },
  });
  expect(await call('GET', `${alpha}/flunders?labelSelector=app%3Dx`)).toMatchObject({ body: { items: [{ metadata: { name: 'a' } }] } });
  expect(await call('GET', `${alpha}/flunders?labelSelector=app%3Dy`)).toMatchObject({ body: { items: [] } });
  expect(await call('DELETE', `${flunders}/a`)).toMatchObject({ status: 200, body: { status: 'Success' } });
  expect(await call('GET', `${flunders}/a`)).toMatchObject({ status: 404, body: { reason: 'NotFound' } });
});

test('a dry run stores nothing, the kind may be left out, and bodies in other formats than JSON are refused', async () => {
  expect(await call('POST', `${flunders}?dryRun=All`, { body: flunder('a') })).toMatchObject({ status: 201 });
  expect(await call('POST', flunders, { body: flunder('a') })).toMatchObject({ status: 201 });
  expect(await call('DELETE', `${flunders}/a?dryRun=All`)).toMatchObject({ status: 200 });
  expect(await call('GET', `${flunders}/a`)).toMatchObject({ status: 200 });
  expect(await call('POST', flunders, { body: { metadata: { name: 'b' } } })).toMatchObject({ status: 201, body: { kind: 'Flunder' } });
  expect(await call('POST', flunders, { body: flunder('c'), type: 'application/cbor' })).toMatchObject({
    status: 415,
    body: { reason: 'UnsupportedMediaType' },
  });
});

test('a flunder with references that contradict each other, or with a name that a fischer disallows, is refused', async () => {
  const both = { flunderReference: 'a', fischerReference: 'b', referenceType: 'Flunder' };
  const beta = { ...flunder('a', { spec: both }), apiVersion: 'wardle.example.com/v1beta1' };
  expect(await call('POST', '/apis/wardle.example.com/v1beta1/namespaces/ns/flunders', { body: beta })).toMatchObject({
    status: 422,
    body: {
      message:
        'Flunder.wardle.example.com "a" is invalid: spec.fischerReference: Invalid value: "b": cannot be set with flunderReference at the same time',
    },
  });
  const fischer = { apiVersion: 'wardle.example.com/v1alpha1', kind: 'Fischer', metadata: { name: 'f' }, disallowedFlunders: ['bad'] };
  expect(await call('POST', `${alpha}/fischers`, { body: fischer })).toMatchObject({ status: 201 });
  expect(await call('POST', flunders, { body: flunder('bad') })).toMatchObject({
    status: 403,
    body: {
      message: 'flunders.wardle.example.com "bad" is forbidden: this name may not be used, please change the resource name',
    },
  });
});

test('a watch sends the changes of selected objects', async () => {
  const { body } = await send('GET', `${alpha}/flunders?watch=true&labelSelector=app%3Dx&timeoutSeconds=10`);
  const chunks = body[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse(new TextDecoder().decode((await chunks.next()).value));
  await call('POST', flunders, { body: flunder('other') });
  await call('POST', flunders, { body: { ...flunder('a'), metadata: { name: 'a', labels: { app: 'x' } } } });
  expect(await next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
  await call('DELETE', `${flunders}/a`);
  expect(await next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'a' } } });
  await pod.advance(11);
  expect((await chunks.next()).done).toBe(true);
});

test('permissions are those of a SubjectAccessReview for the user of the aggregator', async () => {
  await call('GET', `${flunders}/a`);
  expect(reviews[0]?.spec).toEqual({
    user: 'admin',
    groups: ['a', 'b'],
    resourceAttributes: { group: 'wardle.example.com', version: 'v1alpha1', resource: 'flunders', namespace: 'ns', name: 'a', verb: 'get' },
  });
  for (const query of ['watch', 'watch=true', 'watch=1', 'watch=false']) await send('GET', `${flunders}?${query}&timeoutSeconds=1`);
  const verbs = reviews.slice(1).map(({ spec }) => (spec.resourceAttributes as { readonly verb: string }).verb);
  expect(verbs).toEqual(['watch', 'watch', 'watch', 'list']);
  expect(await call('GET', flunders, { headers: [['X-Remote-User', 'eve']] })).toMatchObject({
    status: 403,
    body: {
      message:
        'flunders.wardle.example.com is forbidden: User "eve" cannot list resource "flunders" in API group "wardle.example.com" in the namespace "ns"',
    },
  });
});

test('discovery lists the resources of each version, and other paths are not found', async () => {
  expect(await call('GET', '/apis/wardle.example.com')).toMatchObject({ body: { preferredVersion: { version: 'v1beta1' } } });
  const { body } = await call('GET', alpha);
  expect((body['resources'] as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual(['fischers', 'flunders']);
  expect((await call('GET', '/apis/wardle.example.com/v1beta1/fischers')).status).toBe(404);
  expect((await call('GET', '/apis/other')).status).toBe(404);
});
