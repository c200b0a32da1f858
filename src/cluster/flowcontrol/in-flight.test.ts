import { expect, test } from 'vitest';
import { type ApiRequest, type ApiResponse, StatusError } from '../../meta/index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };

interface Upload {
  readonly method?: string;
  readonly target: string;
  readonly token?: string;
  /** The body, when it arrives. */
  readonly comes: Promise<object>;
}

/** A request whose body arrives after its headers, and whether the body was read. */
function upload(
  { handle }: TestCluster,
  { method = 'POST', target, token = 'bob', comes }: Upload,
): { readonly answer: Promise<ApiResponse>; wasReceived(): boolean } {
  let body: Uint8Array | undefined;
  let isReceived = false;
  const headers = new Headers({ 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) });
  const request: ApiRequest = {
    method,
    target,
    headers,
    signal: new AbortController().signal,
    get body() {
      return body;
    },
    async receiveBody() {
      isReceived = true;
      body = new TextEncoder().encode(JSON.stringify(await comes));
    },
  };
  return { answer: handle(request), wasReceived: () => isReceived };
}

const never = new Promise<never>(() => {});

test.each([
  ['401', { target: maps, token: 'nobody-has-it' }, 401],
  ['403', { target: maps }, 403],
  ['403 of the unauthenticated', { target: maps, token: '' }, 403],
  ['404', { target: '/api/v1/nothings', token: 'admin' }, 404],
  ['405', { target: '/api/v1/namespaces/default/configmaps/a', token: 'admin' }, 405],
  ['404 of a path', { target: '/nothing', token: 'admin' }, 404],
  ['a GET', { method: 'GET', target: maps, token: 'admin' }, 200],
] as const)('%s is answered without reading the body', async (_, request, status) => {
  const { answer, wasReceived } = upload(await startTestCluster(), { ...request, comes: never });
  expect((await answer).status).toBe(status);
  expect(wasReceived()).toBe(false);
});

test('receives and uses a body', async () => {
  const running = await startTestCluster();
  const { answer } = upload(running, { target: reviews, comes: Promise.resolve(review) });
  expect((await answer).status).toBe(201);
});

test('times out after a minute without the whole body', async () => {
  const running = await startTestCluster();
  const { answer, wasReceived } = upload(running, { target: reviews, comes: never });
  await expect.poll(wasReceived).toBe(true);
  await running.clock.advance(60_000);
  const { status, body } = await answer;
  expect(status).toBe(504);
  expect(body).toContain('Timeout: request did not complete within the allotted timeout');
});

test('writes nothing when the client disconnects within the body', async () => {
  const running = await startTestCluster();
  const comes = Promise.reject(new StatusError(500, '', 'unexpected EOF'));
  const { answer } = upload(running, { target: reviews, comes });
  expect((await answer).status).toBe(500);
  expect(running.log.lines.filter(({ event }) => event === 'request failed')).toEqual([]);
});

test('rejects a body that the host reports as too large', async () => {
  const { handle } = await startTestCluster();
  const headers = new Headers({ authorization: 'Bearer admin', 'content-type': 'application/json' });
  const { signal } = new AbortController();
  const answer = await handle({
    method: 'POST',
    target: maps,
    headers,
    body: undefined,
    signal,
    receiveBody: async () => {},
    bodyIsTooLarge: true,
  });
  expect(answer.status).toBe(413);
  expect(answer.body).toContain('Request entity too large: limit is 3145728');
});

test("answers 429 above the limit with the real server's response, without reading the body", async () => {
  const running = await startTestCluster({ inFlightLimits: { readOnly: 1, mutating: 1 }, priorityAndFairness: false });
  let come = (_: object): void => {};
  const first = upload(running, { target: reviews, comes: new Promise<object>((resolve) => (come = resolve)) });
  await expect.poll(first.wasReceived).toBe(true);
  const second = upload(running, { target: reviews, comes: never });
  const { status, headers, body } = await second.answer;
  expect({ status, body }).toEqual({ status: 429, body: 'Too many requests, please try again later.\n' });
  expect(headers).toContainEqual(['retry-after', '1']);
  expect(headers).toContainEqual(['content-type', 'text/plain; charset=utf-8']);
  expect(headers.map(([name]) => name)).not.toContain('x-kubernetes-pf-flowschema-uid');
  expect(second.wasReceived()).toBe(false);
  // Reads have a separate limit, watches none, and system:masters are exempt.
  expect((await running.send('GET', '/version', undefined, { authorization: 'Bearer bob' })).status).toBe(200);
  const admin = upload(running, { target: reviews, token: 'admin', comes: Promise.resolve(review) });
  expect((await admin.answer).status).toBe(201);
  come(review);
  expect((await first.answer).status).toBe(201);
  expect((await upload(running, { target: reviews, comes: Promise.resolve(review) }).answer).status).toBe(201);
});

test('releases the slot of a rejected request', async () => {
  const running = await startTestCluster({ inFlightLimits: { readOnly: 1, mutating: 1 }, priorityAndFairness: false });
  const as = { authorization: 'Bearer bob' };
  for (let count = 0; count < 3; count++) expect((await running.send('GET', maps, undefined, as)).status).toBe(403);
});

test('reports the maximum number of requests in flight as metric', async () => {
  const running = await startTestCluster();
  const text = String((await running.send('GET', '/metrics')).body);
  expect(text).toContain('# TYPE apiserver_current_inflight_requests gauge\n');
  expect(text).toContain('apiserver_current_inflight_requests{request_kind="readOnly"} 1\n');
});

test('closes an HTTP/2 connection after an unauthenticated request, or by chance', async () => {
  const running = await startTestCluster();
  const send = async (token: string, gates = '', isHttp2 = true, goawayChance = 0) => {
    const { handle } = gates === '' && goawayChance === 0 ? running : await startTestCluster({ goawayChance }, gates);
    const headers = new Headers(token === '' ? {} : { authorization: `Bearer ${token}` });
    const answer = await handle({
      method: 'GET',
      target: '/version',
      headers,
      body: undefined,
      signal: new AbortController().signal,
      peer: { isHttp2 },
    });
    return answer.headers.some(([name, value]) => name === 'connection' && value === 'close');
  };
  expect([await send(''), await send('wrong'), await send('admin'), await send('', '', false)]).toEqual([true, true, false, false]);
  expect(await send('', 'UnauthenticatedHTTP2DOSMitigation=false')).toBe(false);
  expect([await send('admin', '', true, 1), await send('admin', '', false, 1)]).toEqual([true, false]);
});

test('is not ready but live and serving during shutdown, then rejects requests', async () => {
  const running = await startTestCluster();
  const get = async (target: string, headers = {}) => running.send('GET', target, undefined, headers);
  expect((await get('/readyz')).status).toBe(200);
  running.initiateShutdown();
  expect((await get('/livez')).status).toBe(200);
  expect((await get(maps)).status).toBe(200);
  const { status, body } = await get('/readyz');
  expect(status).toBe(500);
  expect(body).toContain('[-]shutdown failed: reason withheld\n');
  expect((await get('/readyz/shutdown')).body).toBe('internal server error: process is shutting down\n');
  running.stopTakingRequests({ sendRetryAfter: false });
  const late = await get(maps);
  expect([late.status, late.body]).toEqual([503, 'apiserver is shutting down.\n']);
  expect(late.headers).toContainEqual(['retry-after', '1']);
  running.stopTakingRequests({ sendRetryAfter: true });
  const later = await get(maps);
  expect([later.status, later.body]).toEqual([429, 'The apiserver is shutting down, please try again later.\n']);
  expect(later.headers).toContainEqual(['retry-after', '5']);
  expect(later.headers).toContainEqual(['connection', 'close']);
  expect((await get('/livez')).status).toBe(200);
});

test('sends Server-Timing only to permitted users', async () => {
  const running = await startTestCluster({ timingHeaders: 'permitted' });
  const timing = async (target: string, token: string) => {
    const { status, headers } = await running.send(
      'GET',
      target,
      undefined,
      token === '' ? { authorization: '' } : { authorization: `Bearer ${token}` },
    );
    return [status, headers.find(([name]) => name === 'server-timing')?.[1].includes('authz') ?? false];
  };
  expect(await timing(maps, 'admin')).toEqual([200, true]);
  expect(await timing(maps, 'bob')).toEqual([403, false]);
  expect(await timing('/version', 'bob')).toEqual([200, false]);
  expect(await timing('/version', '')).toEqual([200, false]);
  expect(await timing('/version', 'wrong')).toEqual([401, false]);
  await running.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'timing' },
    rules: [{ nonResourceURLs: ['/debug/server-timing'], verbs: ['get'] }],
  });
  await running.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'timing' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'timing' },
    subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.k8s.io' }],
  });
  expect(await timing(maps, 'bob')).toEqual([403, true]);
});

test('stops a collection deletion when the client disconnects', async () => {
  const running = await startTestCluster();
  for (const name of ['a', 'b', 'c']) await running.send('POST', maps, { metadata: { name } });
  const leaves = new AbortController();
  const headers = new Headers({ authorization: 'Bearer admin' });
  // The client disconnects as soon as the first one is deleted.
  await running.storage.watch({
    prefix: '/',
    after: await running.storage.revision(),
    deliver: () => leaves.abort(),
    onError: () => undefined,
  });
  await running.handle({ method: 'DELETE', target: maps, headers, body: undefined, signal: leaves.signal });
  const { items } = bodyOf(await running.send('GET', maps)) as { items: { metadata: { name: string } }[] };
  expect(items.map(({ metadata }) => metadata.name).filter((name) => name.length === 1)).toEqual(['b', 'c']);
});
