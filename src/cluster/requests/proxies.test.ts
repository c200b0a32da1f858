import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStreamPair } from '../../env/index.ts';
import { type HttpHandler, headerOf, serveHttp } from '../../http/index.ts';
import type { ApiResponse } from '../../meta/index.ts';
import { createHeaders } from '../../meta/index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

/** A backend at 10.244.0.5:80. */
const backend: HttpHandler = async ({ method, target, headers, body }) => {
  let text = '';
  for await (const bytes of body) text += new TextDecoder().decode(bytes);
  if (target === '/page') return { status: 200, headers: [['Content-Type', 'text/html; charset=utf-8']], body: '<a href="/next">next</a>' };
  if (target === '/moved') return { status: 302, headers: [['Location', '/next']], body: undefined };
  if (target === '/socket')
    return {
      status: 101,
      headers: [['Upgrade', 'echo']],
      body: undefined,
      async serve({ source, sink }) {
        for await (const bytes of source) await sink.write(bytes);
      },
    };
  const seen = ['host', 'authorization', 'x-forwarded-uri', 'x-own'].map((name) => `${name}=${headerOf(headers, name)}`);
  const own = [
    ['Access-Control-Allow-Origin', '*'],
    ['X-Backend', 'yes'],
    ['Content-Type', 'text/plain'],
  ] as const;
  return { status: 200, headers: own, body: `${method} ${target} ${text} ${seen.join(' ')}` };
};

let cluster: TestCluster;
const dialed: string[] = [];
beforeAll(async () => {
  cluster = await startTestCluster({
    network: () => ({
      hostOf: unopened,
      openPod: unopened,
      dialer: {
        async dial({ host, port, tls }) {
          dialed.push(`${host}:${port}${tls ? ' with TLS' : ''}`);
          if (port !== 80) throw new Error(`dial tcp ${host}:${port}: connect: connection refused`);
          const [client, server] = createStreamPair();
          void serveHttp(server, backend);
          return client;
        },
      },
    }),
    nodes: ({ kubelets }) =>
      kubelets?.register('node-1', {
        exec: unused,
        attach: unused,
        containerLogs: unused,
        portForward: unused,
        http: async ({ method, target }) => ({
          status: 200,
          headers: [['content-type', 'text/plain']],
          body: `kubelet ${method} ${target}`,
        }),
      }) ?? (() => {}),
  });
  await cluster.create('/api/v1/nodes', { metadata: { name: 'node-1' } });
  const addresses = [
    { type: 'InternalIP', address: '172.18.0.2' },
    { type: 'Hostname', address: 'node-1' },
  ];
  await cluster.send('PUT', '/api/v1/nodes/node-1/status', { metadata: { name: 'node-1' }, status: { addresses } });
  await cluster.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const container = { name: 'main', image: 'x', ports: [{ containerPort: 80 }] };
  const pod = { metadata: { name: 'web' }, spec: { nodeName: 'node-1', automountServiceAccountToken: false, containers: [container] } };
  const pods = '/api/v1/namespaces/default/pods';
  await cluster.create(pods, pod);
  const status = { phase: 'Running', podIP: '10.244.0.5', podIPs: [{ ip: '10.244.0.5' }] };
  await cluster.send('PUT', `${pods}/web/status`, { ...pod, status });
  await cluster.create('/api/v1/namespaces/default/services', {
    metadata: { name: 'front' },
    spec: { ports: [{ name: 'http', port: 8080, targetPort: 80 }] },
  });
  await cluster.create('/api/v1/namespaces/default/endpoints', {
    metadata: { name: 'front' },
    subsets: [
      {
        addresses: [{ ip: '10.244.0.5', targetRef: { kind: 'Pod', namespace: 'default', name: 'web' } }],
        ports: [{ name: 'http', port: 80 }],
      },
    ],
  });
});
afterAll(() => cluster.close());

const unopened = (): never => {
  throw new Error('not used');
};
const unused = (): Promise<never> => Promise.reject(new Error('not used'));
const web = '/api/v1/namespaces/default/pods/web/proxy';

async function textOf({ body }: ApiResponse): Promise<string> {
  if (body === undefined || typeof body === 'string') return body ?? '';
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  let text = '';
  for await (const part of body) text += typeof part === 'string' ? part : new TextDecoder().decode(part);
  return text;
}

test('a request reaches the first port of a pod with its path, query and headers, without credentials', async () => {
  const response = await cluster.send('GET', `${web}/a%20b?c=d`, undefined, { host: 'api:6443', 'x-own': '1' });
  expect(response.status).toBe(200);
  expect(await textOf(response)).toBe(`GET /a%20b?c=d  host=api:6443 authorization= x-forwarded-uri=${web}/a%20b x-own=1`);
  expect(dialed.at(-1)).toBe('10.244.0.5:80');
  const names = response.headers.map(([name]) => name);
  expect(names).toContain('x-backend');
  expect(names).not.toContain('access-control-allow-origin');
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is proxied with its body', async (method) => {
  const body = method === 'OPTIONS' ? undefined : new TextEncoder().encode('data');
  expect(await textOf(await cluster.send(method, `${web}/x`, body))).toContain(`${method} /x ${body ? 'data' : ''}`);
});

test.each(['text/html', 'text/event-stream', 'application/*'])('a response is not negotiated by the header Accept: %s', async (accept) => {
  const send = (target: string) => cluster.send('GET', target, undefined, { accept });
  expect((await send(`${web}/x`)).status).toBe(200);
  expect((await send('/api/v1/namespaces/default/pods/none/proxy')).status).toBe(404);
  expect((await send('/api/v1/namespaces/default/pods')).status).toBe(406);
});

test('a service is reached by the name and by the number of a port', async () => {
  for (const name of ['front:http', 'http:front:8080', 'https:front:http']) {
    const response = await cluster.send('GET', `/api/v1/namespaces/default/services/${name}/proxy/`);
    expect(response.status).toBe(200);
  }
  expect(dialed.slice(-3)).toEqual(['10.244.0.5:80', '10.244.0.5:80', '10.244.0.5:80 with TLS']);
});

test('links and redirections of the backend lead through the proxy', async () => {
  expect(await textOf(await cluster.send('GET', `${web}/page`))).toBe(`<a href="${web}/next">next</a>`);
  const moved = await cluster.send('GET', `${web}/moved`);
  expect([moved.status, new Map(moved.headers).get('location')]).toEqual([302, `${web}/next`]);
  const root = await cluster.send('GET', web);
  expect([root.status, new Map(root.headers).get('location')]).toEqual([301, `${web}/`]);
});

test('a port that refuses connections is 503 with the error of the dialer', async () => {
  const response = await cluster.send('GET', '/api/v1/namespaces/default/pods/web:81/proxy/');
  expect(response.status).toBe(503);
  expect(await textOf(response)).toContain('error trying to reach service: dial tcp 10.244.0.5:81: connect: connection refused');
  expect(cluster.log.lines).toEqual([]);
});

test('the port of a kubelet is its HTTP server', async () => {
  expect(await textOf(await cluster.send('GET', '/api/v1/nodes/node-1/proxy/healthz'))).toBe('kubelet GET /healthz');
  expect(await textOf(await cluster.send('GET', '/api/v1/nodes/node-1:10250/proxy/metrics'))).toBe('kubelet GET /metrics');
});

test('the name of a node resolves to its address where its kubelet can be reached, and not at all elsewhere', async () => {
  await cluster.send('GET', '/api/v1/nodes/node-1:9100/proxy/');
  expect(dialed.at(-1)).toBe('172.18.0.2:9100');
  const name = { metadata: { name: 'node-2' } };
  await cluster.create('/api/v1/nodes', name);
  const addresses = [
    { type: 'InternalIP', address: '172.18.0.3' },
    { type: 'Hostname', address: 'node-2' },
  ];
  await cluster.send('PUT', '/api/v1/nodes/node-2/status', { ...name, status: { addresses } });
  const unresolved = await cluster.send('GET', '/api/v1/nodes/node-2/proxy/healthz');
  expect([unresolved.status, await textOf(unresolved)]).toEqual([400, expect.stringContaining('lookup node-2: no such host')]);
});

test('a connection can switch to the protocol of the backend', async () => {
  const { status, upgrade } = await cluster.handle({
    method: 'GET',
    target: `${web}/socket`,
    headers: createHeaders([
      ['authorization', 'Bearer admin'],
      ['connection', 'Upgrade'],
      ['upgrade', 'echo'],
    ]),
    body: undefined,
    signal: new AbortController().signal,
    acceptsUpgrade: true,
  });
  if (status !== 101 || upgrade?.kind !== 'bytes') throw new Error(`no switch: ${status}`);
  const [client, server] = createStreamPair();
  const served = upgrade.serve(server);
  await client.sink.write(new TextEncoder().encode('raw'));
  const { value } = await client.source[Symbol.asyncIterator]().next();
  expect(new TextDecoder().decode(value)).toBe('raw');
  await client.sink.close();
  await served;
});

test('names that are no path segments are no targets of a proxy', async () => {
  const { send } = await startTestCluster();
  for (const resource of ['nodes', 'namespaces/default/services', 'namespaces/default/pods']) {
    expect(bodyOf(await send('GET', `/api/v1/${resource}/a%25b/proxy/`))).toMatchObject({
      code: 400,
      message: `Name parameter invalid: "a%b": may not contain '%'`,
    });
  }
});
