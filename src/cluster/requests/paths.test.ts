import { expect, test } from 'vitest';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

async function responses(requests: readonly (readonly [method: string, target: string, accept?: string])[]): Promise<readonly string[]> {
  const { send } = await startTestCluster();
  const all: string[] = [];
  for (const [method, target, accept] of requests) {
    const { status, headers, body } = await send(method, target, undefined, accept === undefined ? {} : { accept });
    const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    const { message = '' } = type === 'application/json' ? (JSON.parse(String(body)) as { message?: string }) : { message: String(body) };
    all.push(`${status} ${message}`.trim());
  }
  return all;
}

const notFound = '404 the server could not find the requested resource';
const noPage = '404 404 page not found';

test('decodes paths before they are split', async () => {
  expect(
    await responses([
      ['GET', '/api%2Fv1'],
      ['GET', '/api/v1/namespaces/default%2Fconfigmaps/a'],
      ['GET', '/api/v1/namespaces/default/configmaps/a%2Fb'],
      ['GET', '/api/v1/namespaces/default/configmaps/%2e%2e'],
      ['GET', '/api/v1/namespaces/default/configmaps/a%25b'],
      ['GET', '/api/v1/a%zz'],
    ]),
  ).toEqual([
    '200',
    '404 configmaps "a" not found',
    notFound,
    `400 Name parameter invalid: "..": may not be '..'`,
    `400 Name parameter invalid: "a%b": may not contain '%'`,
    '400 400 Bad Request',
  ]);
});

test('serves documents with a trailing slash, and 404 for other superfluous slashes', async () => {
  const documents = ['/api//', '/apis/apps//', '/version/'].map((path) => ['GET', path] as const);
  expect(await responses(documents)).toEqual(['200', '200', '200']);
  const nothing = [
    '//',
    '//api/v1',
    '//api/v1/namespaces',
    '///apis/apps/v1/deployments',
    '/apis//',
    '/apis//v1/deployments',
    '/healthz/',
    '/openapi/v2/',
  ].map((path) => ['GET', path] as const);
  expect(await responses(nothing)).toEqual(nothing.map(() => noPage));
});

test('rejects nested and empty namespaces in paths', async () => {
  const required = '400 Namespace parameter required.';
  const notAllowed = '405 the server does not allow this method on the requested resource';
  expect(
    await responses([
      ['GET', '/api/v1/namespaces/default/namespaces/default'],
      ['GET', '/api/v1/namespaces//configmaps/a'],
      ['DELETE', '/api/v1/namespaces//configmaps'],
      ['GET', '/api/v1/namespaces//services/a/proxy'],
      ['POST', '/api/v1/namespaces//configmaps/a'],
      ['GET', '/api/v1/namespaces//configmaps'],
    ]),
  ).toEqual([notFound, required, required, required, notAllowed, '200']);
});

test('validates an object that is created in an empty namespace', async () => {
  const { send } = await startTestCluster();
  const { status, body } = await send('POST', '/api/v1/namespaces//configmaps', { metadata: { name: 'a' } });
  expect([status, JSON.parse(String(body)).message]).toEqual([422, 'ConfigMap "a" is invalid: metadata.namespace: Required value']);
});

test('has no watch paths of subresources', async () => {
  const path = '/api/v1/watch/namespaces/default/serviceaccounts/default/token';
  expect(
    await responses([
      ['GET', path],
      ['POST', path],
    ]),
  ).toEqual([notFound, notFound]);
});

test('rejects a name before a resourceVersion', async () => {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/..?resourceVersion=x';
  expect(await responses([['GET', path]])).toEqual([`400 Name parameter invalid: "..": may not be '..'`]);
});

test('deletes a collection of a version exactly, and of any newer one when the limit is negative or one object is selected', async () => {
  const { send } = await startTestCluster();
  const maps = '/api/v1/namespaces/default/configmaps';
  const bodyFor = async (method: string, query: string) => JSON.parse(String((await send(method, `${maps}?${query}`)).body));
  const { resourceVersion } = (await bodyFor('GET', '')).metadata;
  await send('POST', maps, { metadata: { name: 'a' } });
  const query = `dryRun=All&resourceVersion=${resourceVersion}`;
  expect((await bodyFor('DELETE', query)).items).toEqual([]);
  for (const more of ['limit=-1', 'fieldSelector=metadata.name%3Da'])
    expect((await bodyFor('DELETE', `${query}&${more}`)).message).toContain('the ResourceVersion in the precondition');
});

test('answers 500 for a watch path without a resource', async () => {
  const { send } = await startTestCluster();
  const { status, headers, body } = await send('GET', '/api/v1/watch');
  expect([status, body]).toEqual([
    500,
    'Internal Server Error: "/api/v1/watch": failed to create RequestInfo: unable to determine kind and namespace from url, /api/v1/watch\n',
  ]);
  expect(headers.map(([name]) => name)).not.toContain('cache-control');
});

test('serves discovery in the accepted format, groups by any method', async () => {
  expect(
    await responses([
      ['GET', '/api/v1', 'text/html'],
      ['GET', '/apis/apps', 'text/html'],
      ['GET', '/version', 'text/html'],
      ['POST', '/apis/apps'],
      ['POST', '/apis/apps/v1'],
    ]),
  ).toEqual([
    '406 406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    '406 only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    '406 406: Not Acceptable\n\nAvailable representations: application/json',
    '200',
    '405 the server does not allow this method on the requested resource',
  ]);
});

test('indents an error when no accepted format is supported', async () => {
  const { send } = await startTestCluster();
  const errorAs = async (accept: string): Promise<string> =>
    String((await send('GET', '/api/v1/namespaces/default/configmaps/a', undefined, { accept })).body).slice(0, 12);
  const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  expect([await errorAs(table), await errorAs(`${table},application/json`)]).toEqual(['{\n  "kind": ', '{"kind":"Sta']);
});

test('encodes reviews and actions as metadata, but not as tables', async () => {
  const { send } = await startTestCluster();
  const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
  const as = async (kind: string): Promise<number> => {
    const headers = { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` };
    return (await send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review, headers)).status;
  };
  expect([await as('Table'), await as('PartialObjectMetadata')]).toEqual([406, 201]);
});

test('answers a review without kind with kind first', async () => {
  const { send } = await startTestCluster();
  const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
  const { body } = await send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review);
  expect(String(body).slice(0, 33)).toBe('{"kind":"SelfSubjectAccessReview"');
});

test('omits the kind of list items in YAML, too', async () => {
  const { send } = await startTestCluster();
  await send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  const { body } = await send('GET', '/api/v1/namespaces/default/configmaps', undefined, { accept: 'application/yaml' });
  expect(String(body).match(/kind: .*/g)).toEqual(['kind: ConfigMapList']);
});

test('encodes a scale as its own table, in the requested version', async () => {
  const { send } = await startTestCluster();
  const deployment = {
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  };
  await send('POST', '/apis/apps/v1/namespaces/default/deployments', deployment);
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1beta1';
  const table = bodyOf(await send('GET', '/apis/apps/v1/namespaces/default/deployments/d/scale', undefined, { accept }));
  expect(table).toMatchObject({
    apiVersion: 'meta.k8s.io/v1beta1',
    columnDefinitions: [{ name: 'Name', format: '' }, { name: 'Desired' }, { name: 'Available' }, { name: 'Age' }],
    rows: [{ cells: ['d', 1, 0, '0s'], object: { apiVersion: 'meta.k8s.io/v1beta1' } }],
  });
});

test('lists all health checks, and more of them for readiness', async () => {
  const { send } = await startTestCluster();
  const lines = async (path: string): Promise<number> => String((await send('GET', `${path}?verbose`)).body).split('\n').length;
  expect([await lines('/healthz'), await lines('/livez'), await lines('/readyz')]).toEqual([34, 34, 37]);
  expect(
    await responses([
      ['GET', '/readyz/shutdown'],
      ['GET', '/livez/shutdown'],
    ]),
  ).toEqual(['200 ok', noPage]);
});

test('rejects an invalid timeout before authentication, except for long-running requests', async () => {
  const { send } = await startTestCluster();
  const statuses = [];
  for (const path of ['/api/v1/pods', '/healthz', '/api/v1/namespaces/a/pods/b/log'])
    statuses.push((await send('GET', `${path}?timeout=abc`, undefined, { authorization: 'Bearer nobody' })).status);
  expect(statuses).toEqual([400, 400, 401]);
});

test.each(['limit=%zz', 'limit=1;a=b', 'a=%&limit=x;'])('ignores invalid parts of the query %s', async (query) => {
  const { send } = await startTestCluster();
  expect((await send('GET', `/api/v1/namespaces?${query}`)).status).toBe(200);
  expect((await send('GET', `/api/v1/namespaces?${query}&limit=x`)).status).toBe(400);
});

test('the OpenAPI documents have the minor version of the release, and the descriptions of types', async () => {
  const { send } = await startTestCluster();
  const v2 = bodyOf(await send('GET', '/openapi/v2'));
  const v3 = bodyOf(await send('GET', '/openapi/v3/version', undefined, {}));
  expect([v2, v3].map(({ info }) => info)).toEqual([
    { title: 'Kubernetes', version: '1.34' },
    { title: 'Kubernetes', version: '1.34' },
  ]);
  expect(v2).toMatchObject({
    definitions: { 'io.k8s.api.core.v1.Pod': { description: expect.stringMatching(/^Containers that run together on one node/) } },
  });
});
