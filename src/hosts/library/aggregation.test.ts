import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../../env/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { apiregistrationv1APIServices, corev1Services } from '../../schema/api/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import type { ApiServerHandler } from '../service-handlers.ts';
import { type Cluster, createLibraryCluster } from './library-cluster.ts';

interface Started extends Cluster {
  readonly time: ManualClock;
  send(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<Response>;
  /** The condition `Available` with its reason, once it is as expected. */
  until(status: string): Promise<JsonObject>;
}

const flunders = '/apis/sample.example/v1/flunders';
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const reference = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });
/** A document of version 2 with another version's path, and definitions and parameters that are different in the cluster. */
const spec = {
  swagger: '2.0',
  paths: {
    [flunders]: {
      get: {
        operationId: 'listFlunder',
        parameters: [{ $ref: '#/parameters/limit-1NfNmdNH' }],
        responses: { 200: { schema: reference('sample.Flunder') } },
      },
    },
    '/apis/sample.example/v2/flunders': { get: { responses: { 200: { schema: reference('sample.Old') } } } },
  },
  definitions: {
    'sample.Flunder': { type: 'object', properties: { metadata: reference(`${meta}.ObjectMeta`), patch: reference(`${meta}.Patch`) } },
    'sample.Old': { type: 'object' },
    [`${meta}.ObjectMeta`]: { type: 'object', description: 'another one' },
  },
  parameters: { 'limit-1NfNmdNH': { name: 'limit', in: 'query', type: 'integer' } },
};

const api: ApiServerHandler = async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === '/apis/sample.example/v1') {
    const resources = [{ name: 'flunders', singularName: 'flunder', namespaced: true, kind: 'Flunder', verbs: ['get', 'list'] }];
    return Response.json({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'sample.example/v1', resources });
  }
  if (pathname === '/openapi/v3')
    return Response.json({ paths: { 'apis/sample.example/v1': { serverRelativeURL: '/openapi/v3/apis/sample.example/v1?hash=1' } } });
  if (pathname === '/openapi/v3/apis/sample.example/v1') return Response.json({ openapi: '3.0.0' });
  if (pathname.startsWith('/apis/sample.example/v1/')) {
    const { method, headers } = request;
    const names = ['x-remote-user', 'x-remote-group', 'x-remote-extra-a%2fb', 'authorization'];
    const shown = Object.fromEntries(names.map((name) => [name, headers.get(name)]));
    return Response.json({ method, path: pathname, ...shown, body: await request.text() }, { status: 201 });
  }
  return new Response('404 page not found', { status: 404 });
};

/** A cluster whose API service `sample.example/v1` is served by the function. */
async function start(service: JsonObject = { type: 'ExternalName', externalName: 'sample.example' }): Promise<Started> {
  const time = createManualClock();
  const real = { ...time, nextTurn: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)) };
  const env = { clock: real, random: createSeededRandom(1), log: createMemoryLog() };
  const cluster = await createLibraryCluster(env, createMemoryKeySpace, { names: 'kubernetes' });
  const client = cluster.client('admin-token');
  await client.resource(corev1Services).create({ metadata: { namespace: 'default', name: 'sample' }, spec: service });
  await client.resource(apiregistrationv1APIServices).create({
    metadata: { name: 'v1.sample.example' },
    spec: {
      group: 'sample.example',
      version: 'v1',
      service: { namespace: 'default', name: 'sample' },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 2000,
      versionPriority: 200,
    },
  });
  const condition = async (): Promise<JsonObject> => {
    const { status } = await client.resource(apiregistrationv1APIServices).get({ name: 'v1.sample.example' });
    return (status?.conditions?.[0] ?? {}) as unknown as JsonObject;
  };
  return {
    ...cluster,
    time,
    send: (method, path, headers = {}, body) =>
      cluster.fetch(`https://cluster.test${path}`, {
        method,
        headers: { authorization: 'Bearer admin-token', ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    until: async (status) => {
      for (let step = 0; step < 100; step++) {
        const found = await condition();
        if (found['status'] === status) return found;
        await time.advance(1_000);
        await real.nextTurn();
      }
      throw new Error(`the condition is ${JSON.stringify(await condition())}`);
    },
  };
}

const origin = 'https://sample.default.svc';

test('requests of an available API service are proxied with the user in headers', async () => {
  const cluster = await start();
  cluster.apiServers.set(origin, api);
  expect(await cluster.until('True')).toMatchObject({ type: 'Available', reason: 'Passed', message: 'all checks passed' });
  const path = '/apis/sample.example/v1/namespaces/default/flunders';
  const response = await cluster.send(
    'POST',
    `${path}?dryRun=All`,
    { 'impersonate-user': 'carol', 'impersonate-extra-a%2fb': 'c', 'x-remote-user': 'x' },
    'body',
  );
  expect(response.status).toBe(403);
  const admin = await cluster.send('POST', path, { 'x-remote-user': 'x' }, 'body');
  expect(admin.status).toBe(201);
  expect(await admin.json()).toEqual({
    method: 'POST',
    path,
    'x-remote-user': 'admin',
    'x-remote-group': 'system:masters, system:authenticated',
    'x-remote-extra-a%2fb': null,
    authorization: null,
    body: 'body',
  });
  await cluster.close();
});

test('discovery and OpenAPI show the group of another API server', async () => {
  const cluster = await start();
  cluster.apiServers.set(origin, api);
  await cluster.until('True');
  const { groups } = (await (await cluster.send('GET', '/apis')).json()) as { readonly groups: readonly { readonly name: string }[] };
  expect(groups.at(-1)).toMatchObject({ name: 'sample.example', preferredVersion: { groupVersion: 'sample.example/v1' } });
  const aggregated = await cluster.send('GET', '/apis', { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' });
  const { items } = (await aggregated.json()) as { readonly items: readonly JsonObject[] };
  expect(items.at(-1)).toEqual({
    metadata: { name: 'sample.example' },
    versions: [
      {
        version: 'v1',
        resources: [
          {
            resource: 'flunders',
            responseKind: { group: 'sample.example', version: 'v1', kind: 'Flunder' },
            scope: 'Namespaced',
            singularResource: 'flunder',
            verbs: ['get', 'list'],
          },
        ],
        freshness: 'Current',
      },
    ],
  });
  expect(await (await cluster.send('GET', '/openapi/v3')).text()).toContain('/openapi/v3/apis/sample.example/v1?hash=1');
  expect(await (await cluster.send('GET', '/openapi/v3/apis/sample.example/v1?hash=1')).json()).toEqual({ openapi: '3.0.0' });
  await cluster.close();
});

test('the OpenAPI document of version 2 includes the paths of another API server', async () => {
  const cluster = await start();
  const document = async (): Promise<Record<'paths' | 'definitions' | 'parameters', Record<string, JsonObject>>> =>
    (await (await cluster.send('GET', '/openapi/v2')).json()) as Record<'paths' | 'definitions' | 'parameters', Record<string, JsonObject>>;
  const before = await document();
  const kinds = { 'x-kubernetes-group-version-kind': [{ group: 'sample.example', kind: 'Patch', version: 'v1' }] };
  const patch = { ...before.definitions[`${meta}.Patch`], ...kinds };
  cluster.apiServers.set(origin, (request) =>
    new URL(request.url).pathname === '/openapi/v2'
      ? Response.json({ ...spec, definitions: { ...spec.definitions, [`${meta}.Patch`]: patch } })
      : api(request),
  );
  await cluster.until('True');
  const { paths, definitions, parameters } = await document();
  expect(Object.keys(paths).length).toBe(Object.keys(before.paths).length + 1);
  expect(paths[flunders]).toMatchObject({ get: { parameters: [{ $ref: '#/parameters/limit-1NfNmdNH_v2' }] } });
  expect(parameters['limit-1NfNmdNH_v2']).toEqual({ name: 'limit', in: 'query', type: 'integer' });
  expect(parameters['limit-1NfNmdNH']).toEqual(before.parameters['limit-1NfNmdNH']);
  expect(definitions['sample.Flunder']).toEqual({
    type: 'object',
    properties: { metadata: reference(`${meta}.ObjectMeta_v2`), patch: reference(`${meta}.Patch`) },
  });
  expect(definitions[`${meta}.ObjectMeta_v2`]).toEqual({ type: 'object', description: 'another one' });
  expect(definitions[`${meta}.ObjectMeta`]).toEqual(before.definitions[`${meta}.ObjectMeta`]);
  expect(definitions[`${meta}.Patch`]).toEqual(patch);
  expect(definitions['sample.Old']).toBeUndefined();
  expect(Object.keys(definitions)).toEqual(Object.keys(definitions).sort());
  await cluster.close();
});

test('a server without documents of version 3 has them converted from version 2, as long as it is registered', async () => {
  const cluster = await start();
  const respond = async (path: string): Promise<Response> => {
    if (path === '/openapi/v2') return Response.json(spec);
    return path.startsWith('/openapi/') ? new Response('404 page not found', { status: 404 }) : api(new Request(`${origin}${path}`));
  };
  cluster.apiServers.set(origin, (request) => respond(new URL(request.url).pathname));
  await cluster.until('True');
  const name = 'apis/sample.example/v1';
  const index = async (): Promise<Record<string, { readonly serverRelativeURL: string }>> =>
    (
      (await (await cluster.send('GET', '/openapi/v3')).json()) as {
        readonly paths: Record<string, { readonly serverRelativeURL: string }>;
      }
    ).paths;
  const { serverRelativeURL = '' } = (await index())[name] ?? {};
  expect(serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/sample\.example\/v1\?hash=[0-9A-F]+$/);
  const document = await cluster.send('GET', serverRelativeURL);
  expect(document.headers.get('cache-control')).toBe('public, immutable');
  expect(await document.json()).toMatchObject({
    openapi: '3.0.0',
    components: {
      schemas: { 'sample.Flunder': { properties: { metadata: { $ref: `#/components/schemas/${meta}.ObjectMeta` } } } },
    },
  });
  const protobuf = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
  expect((await cluster.send('GET', serverRelativeURL, { accept: protobuf })).headers.get('content-type')).toContain('protobuf');
  await cluster.client('admin-token').resource(apiregistrationv1APIServices).delete({ name: 'v1.sample.example' });
  expect(Object.keys(await index())).not.toContain(name);
  expect((await cluster.send('GET', `/openapi/v3/${name}`)).status).toBe(404);
  await cluster.close();
});

test('requests of an API service that is not available get 503', async () => {
  const cluster = await start();
  const message =
    'failing or missing response from https://sample.example:443/apis/sample.example/v1: Get "https://sample.example:443/apis/sample.example/v1": dial tcp sample.example:443: connect: no route to host';
  expect(await cluster.until('False')).toMatchObject({ reason: 'FailedDiscoveryCheck', message });
  const response = await cluster.send('GET', '/apis/sample.example/v1/flunders');
  expect([response.status, await response.text()]).toEqual([503, 'service unavailable\n']);
  const unavailable = async (): Promise<readonly string[]> => {
    const text = await (await cluster.send('GET', '/metrics')).text();
    return [...text.matchAll(/^aggregator_unavailable_apiservice\{name="(.*)"\} 1$/gm)].map(([, name = '']) => name);
  };
  expect(await unavailable()).toEqual(['v1.sample.example']);
  cluster.apiServers.set(origin, api);
  await cluster.until('True');
  expect(await unavailable()).toEqual([]);
  cluster.apiServers.clear();
  const broken = await cluster.send('GET', '/apis/sample.example/v1/flunders');
  expect([broken.status, await broken.text()]).toEqual([
    503,
    'error trying to reach service: dial tcp sample.example:443: connect: no route to host\n',
  ]);
  await cluster.close();
});

test.each<[reason: string, service: JsonObject, message: string]>([
  ['ServicePortError', { ports: [{ port: 80 }] }, 'service/sample in "default" is not listening on port 443'],
  ['EndpointsNotFound', { ports: [{ port: 443 }] }, 'cannot find endpointslices for service/sample in "default"'],
])('a service with a cluster IP is checked: %s', async (reason, service, message) => {
  const cluster = await start(service);
  expect(await cluster.until('False')).toMatchObject({ reason, message });
  await cluster.close();
});
