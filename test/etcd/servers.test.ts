import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';

let cluster: EtcdCluster;
let servers: readonly StartedServer[];

interface Service {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly clusterIP: string; readonly ports: readonly { readonly nodePort: number }[] };
}

interface ServerResponse {
  readonly status: number;
  readonly text: string;
}

async function sendRequest(server: number, method: string, path: string, body?: object): Promise<ServerResponse> {
  const response = await fetch(`${servers[server]?.url}${path}`, {
    method,
    headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, text: await response.text() };
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const services = '/api/v1/namespaces/default/services';
const configMap = (name: string, value: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
const service = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec },
});

describe.skipIf(etcdMissing)(`two servers on one etcd${etcdMissing ? ` (${etcdMissing})` : ''}`, () => {
  beforeAll(async () => {
    cluster = await EtcdCluster.start(1);
    // Without controllers, whose writes could change objects between two compared responses.
    const flags = ['--names', 'kubernetes', '--insecure', '--controllers=', '--token-auth-file', tokenFile];
    flags.push('--etcd-servers', cluster.servers.join(','));
    servers = await Promise.all([startServer(...flags), startServer(...flags)]);
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.stop();
    await cluster?.close();
  });

  test('bootstrap objects are created once by two concurrent servers', async () => {
    const states = await Promise.all(
      [0, 1].map(async (server) => (await sendRequest(server, 'GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles')).text),
    );
    expect(states[0]).toBe(states[1]);
    const namespace = JSON.parse(cluster.etcdctl(0, 'get', '/registry/namespaces/default', '-w', 'json')) as {
      readonly kvs: readonly [{ readonly version: number }];
    };
    expect(namespace.kvs[0].version).toBe(1);
  });

  test('etcdctl shows the keys and values of the real API server', async () => {
    await sendRequest(0, 'POST', configMaps, configMap('shown', 'x'));
    await sendRequest(0, 'POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
    const keys = cluster.etcdctl(0, 'get', '--prefix', '/registry', '--keys-only').split('\n');
    expect(keys).toEqual(
      expect.arrayContaining([
        '/registry/apiregistration.k8s.io/apiservices/v1.apps',
        '/registry/clusterroles/admin',
        '/registry/configmaps/default/shown',
        '/registry/minions/n1',
        '/registry/services/specs/default/kubernetes',
      ]),
    );
    const value = cluster.etcdctl(0, 'get', '/registry/configmaps/default/shown', '--print-value-only');
    expect([value.slice(0, 4), value.includes('ConfigMap')]).toEqual(['k8s\0', true]);
  });

  test('services created concurrently by both servers have distinct addresses and ports', async () => {
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, index) => sendRequest(index % 2, 'POST', services, service(`s${index}`))),
    );
    expect(created.map(({ status }) => status)).toEqual(created.map(() => 201));
    const specs = created.map(({ text }) => (JSON.parse(text) as Service).spec);
    expect(new Set(specs.map(({ clusterIP }) => clusterIP)).size).toBe(40);
    expect(new Set(specs.map(({ ports }) => ports[0]?.nodePort)).size).toBe(40);
  });

  test('of two concurrent services with the same address or port one is created', async () => {
    // From the range of static allocation: dynamic allocation may have used others for an earlier service.
    for (const [name, spec, message] of [
      ['a', { clusterIP: '10.96.0.55' }, 'provided IP is already allocated'],
      ['b', { ports: [{ port: 80, nodePort: 30055 }] }, 'provided port is already allocated'],
    ] as const) {
      const both = await Promise.all([0, 1].map((server) => sendRequest(server, 'POST', services, service(`${name}${server}`, spec))));
      expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
      expect(both.find(({ status }) => status === 422)?.text).toContain(message);
    }
  });

  test('of two updates of one version one is a conflict, and both servers return the same object afterwards', async () => {
    const { text } = await sendRequest(0, 'POST', configMaps, configMap('contended', '0'));
    const read = JSON.parse(text) as object;
    const both = await Promise.all(
      [0, 1].map((server) => sendRequest(server, 'PUT', `${configMaps}/contended`, { ...read, data: { value: `by ${server}` } })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [first, second] = [
      await sendRequest(0, 'GET', `${configMaps}/contended`),
      await sendRequest(1, 'GET', `${configMaps}/contended`),
    ];
    expect(first.text).toBe(second.text);
  });

  test('a definition created on one server is served by the other', async () => {
    await sendRequest(0, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'lamps.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'lamps', kind: 'Lamp', singular: 'lamp', listKind: 'LampList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { on: { type: 'boolean' } } } },
          },
        ],
      },
    });
    await expect.poll(async () => (await sendRequest(1, 'GET', '/apis/example.com/v1/lamps')).status, { timeout: 10_000 }).toBe(200);
    const created = await sendRequest(1, 'POST', '/apis/example.com/v1/namespaces/default/lamps', {
      apiVersion: 'example.com/v1',
      kind: 'Lamp',
      metadata: { name: 'one' },
      on: true,
    });
    expect(created.status).toBe(201);
    expect(cluster.etcdctl(0, 'get', '/registry/example.com/lamps/default/one', '--print-value-only')).toContain('"on":true');
    expect((await sendRequest(0, 'GET', '/apis/example.com/v1/namespaces/default/lamps/one')).text).toBe(created.text);
  });

  test('while etcd is down cached reads succeed and health checks fail; then both servers continue', async () => {
    await cluster.kill(0);
    expect((await sendRequest(0, 'GET', `${configMaps}?resourceVersion=0`)).status).toBe(200);
    expect((await sendRequest(0, 'GET', `${configMaps}/shown?resourceVersion=0`)).status).toBe(200);
    const health = await sendRequest(0, 'GET', '/livez');
    expect([health.status, health.text.includes('[-]etcd failed')]).toEqual([500, true]);
    const waiting = sendRequest(1, 'POST', configMaps, configMap('delayed', 'x'));
    cluster.startMember(0);
    expect((await waiting).status).toBe(201);
    expect((await sendRequest(0, 'GET', `${configMaps}/delayed`)).status).toBe(200);
  });
});
