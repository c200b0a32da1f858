import { expect, test } from 'vitest';
import { readLines, readText } from '../../client/index.ts';
import type { ApiResponse } from '../../meta/index.ts';
import { startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const large = 'x'.repeat(20_000);

async function withLargeLists(): Promise<TestCluster> {
  const running = await startTestCluster();
  for (let at = 0; at < 10; at++) await running.send('POST', maps, { metadata: { name: `m${at}` }, data: { large } });
  await running.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  // Waits until the controllers are idle: each of their steps is a request.
  for (let step = 0; step < 40; step++) await running.clock.advance(1);
  for (let at = 0; at < 10; at++)
    await running.send('POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: `w${at}` }, large });
  return running;
}

function send(
  running: TestCluster,
  target: string,
  headers: Record<string, string>,
  takesPieces: boolean,
  signal = new AbortController().signal,
): Promise<ApiResponse> {
  return running.handle({
    method: 'GET',
    target,
    headers: new Headers({ authorization: 'Bearer admin', ...headers }),
    body: undefined,
    signal,
    acceptsChunks: takesPieces,
  });
}

const isStream = ({ body }: ApiResponse): boolean => typeof body === 'object' && Symbol.asyncIterator in body;

async function bytesOf({ body }: ApiResponse): Promise<Uint8Array> {
  if (typeof body === 'string' || body === undefined) return new TextEncoder().encode(body ?? '');
  if (body instanceof Uint8Array) return body;
  const parts: number[] = [];
  for await (const piece of body) parts.push(...(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece));
  return Uint8Array.from(parts);
}

test('encodes a large list in chunks equal to the whole, in every format', async () => {
  const running = await withLargeLists();
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const metadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  const forms = ['application/json', table, metadata, 'application/yaml', 'application/vnd.kubernetes.protobuf, application/json'];
  for (const at of [maps, widgets, `${maps}?pretty=true`, `${widgets}?pretty=1`, `${maps}?includeObject=Object`, `${maps}?limit=9`])
    for (const accept of forms) {
      const [whole, pieces] = [await send(running, at, { accept }, false), await send(running, at, { accept }, true)];
      expect([isStream(whole), isStream(pieces)], `${at} as ${accept}`).toEqual([false, true]);
      expect(pieces.status).toBe(200);
      expect(Buffer.compare(await bytesOf(pieces), await bytesOf(whole)), `${at} as ${accept}`).toBe(0);
    }
});

test('encodes a small list at once', async () => {
  const running = await startTestCluster();
  expect(isStream(await send(running, maps, {}, true))).toBe(false);
});

test('rejects a large list before the first byte like a small one', async () => {
  const running = await withLargeLists();
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  expect((await send(running, `${maps}?includeObject=x`, { accept }, true)).status).toBe(400);
  const one = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
  expect((await send(running, maps, { accept: one }, true)).status).toBe(406);
});

test('compresses chunks as they are requested', async () => {
  const running = await withLargeLists();
  const whole = await readText((await send(running, maps, {}, false)).body);
  const zipped = await send(running, maps, { 'accept-encoding': 'gzip' }, true);
  expect(zipped.headers).toContainEqual(['content-encoding', 'gzip']);
  expect(isStream(zipped)).toBe(true);
  const stream = new Blob([(await bytesOf(zipped)) as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  expect(await new Response(stream).text()).toBe(whole);
});

test('occupies an in-flight slot until a large list is sent, or its client disconnects', async () => {
  const running = await withLargeLists();
  const limited = await startTestCluster({
    storage: running.storage,
    inFlightLimits: { readOnly: 1, mutating: 1 },
    priorityAndFairness: false,
  });
  const get = (takesPieces: boolean, headers = {}) => send(limited, maps, { authorization: 'Bearer bob', ...headers }, takesPieces);
  const role = { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }] };
  await limited.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'lists' }, ...role });
  await limited.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'lists' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'lists' },
    subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.k8s.io' }],
  });
  for (const headers of [{}, { 'accept-encoding': 'gzip' }, { accept: 'application/yaml' }]) {
    const first = await get(true, headers);
    expect(first.status).toBe(200);
    expect((await get(true)).status).toBe(429);
    await bytesOf(first);
    const second = await get(true, headers);
    expect(second.status).toBe(200);
    expect((await get(false)).status).toBe(429);
    if (typeof second.body === 'object' && Symbol.asyncIterator in second.body) await second.body[Symbol.asyncIterator]().return?.();
    expect((await get(false)).status).toBe(200);
  }
});

test('does not encode a list whose client has disconnected', async () => {
  const running = await withLargeLists();
  for (const accept of ['application/json', 'application/yaml']) {
    const answer = await send(running, maps, { accept }, true, AbortSignal.abort());
    expect(isStream(answer)).toBe(false);
    expect(await readText(answer.body)).toContain('context canceled');
  }
});

/** Events of a watch up to the object with this name. */
async function eventsUntil(response: ApiResponse, name: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const line of readLines(response.body)) {
    const { type, object } = JSON.parse(line);
    names.push(`${type} ${object.metadata?.name ?? object.rows?.[0].cells[0]}`);
    if (object.columnDefinitions) names.push('with columns');
    if (names.includes(`ADDED ${name}`)) break;
  }
  return names;
}

test.each(['application/json', 'application/json;as=Table;v=v1;g=meta.k8s.io'])(
  'a watch starts with a collection of any size, and continues, as %s',
  async (accept) => {
    const running = await startTestCluster();
    const names = Array.from({ length: 18 }, (_, at) => `m${String(at).padStart(2, '0')}`);
    // More than the limit of unread later events.
    for (const name of names) await running.send('POST', maps, { metadata: { name }, data: { large: 'x'.repeat(1_000_000) } });
    const target = `${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
    const watch = await send(running, accept.includes('Table') ? `${target}&includeObject=Object` : target, { accept }, true);
    await running.send('POST', maps, { metadata: { name: 'z' } });
    const events = (await eventsUntil(watch, 'z')).filter((name) => !name.startsWith('BOOKMARK'));
    const added = [...names, 'z'].map((name) => `ADDED ${name}`);
    expect(events).toEqual(accept.includes('Table') ? [added[0], 'with columns', ...added.slice(1)] : added);
  },
);
