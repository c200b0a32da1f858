import { expect, test } from 'vitest';
import { createManualClock, createSeededRandom } from '../env/index.ts';
import type { ClusterState } from './cluster-state.ts';
import { EmulatedFabric } from './emulated-fabric.ts';
import type { Connection, Datagram, Endpoint } from './network-namespace.ts';
import { scriptedState } from './scripted-state.test-support.ts';
import { EmulatedNamespace } from './sockets/namespace.ts';

const ready = (address: string, node = 'node-1', conditions: object = { ready: true }): object => ({
  addresses: [address],
  conditions,
  nodeName: node,
});

interface Lab {
  readonly clock: ReturnType<typeof createManualClock>;
  readonly fabric: EmulatedFabric;
  open(address: string, node?: string): EmulatedNamespace;
}

function createLab(state: ClusterState): Lab {
  const clock = createManualClock();
  const fabric = new EmulatedFabric({ clock, random: createSeededRandom(1), state });
  return {
    clock,
    fabric,
    open(address, node = 'node-1') {
      const namespace: EmulatedNamespace = new EmulatedNamespace({ node, pod: `uid-${address}`, addresses: [address] }, fabric, () =>
        fabric.remove(namespace),
      );
      fabric.add(namespace);
      return namespace;
    },
  };
}

/** Listens and greets each client with the own address. */
function greet(namespace: EmulatedNamespace, port: number): Connection[] {
  const accepted: Connection[] = [];
  namespace.listen({ port }, (connection) => {
    accepted.push(connection);
    void connection.sink.write(new TextEncoder().encode(namespace.addresses[0]));
  });
  return accepted;
}

async function greetingOf(connection: Connection): Promise<string> {
  const { value } = await connection.source[Symbol.asyncIterator]().next();
  return new TextDecoder().decode(value);
}

const reach = async (from: EmulatedNamespace, to: Endpoint): Promise<string> => greetingOf(await from.connect(to));

test('a connection reaches a listener by its address, and both sides know the addresses', async () => {
  const { open } = createLab(scriptedState({}));
  const [client, server] = [open('10.244.0.1'), open('10.244.0.2')];
  const accepted = greet(server, 80);
  const connection = await client.connect({ address: '10.244.0.2', port: 80 });
  expect(await greetingOf(connection)).toBe('10.244.0.2');
  expect(accepted[0]?.remote).toEqual(connection.local);
  expect(connection.remote).toEqual({ address: '10.244.0.2', port: 80 });
});

test('nobody listens: refused; nobody has the address: unreachable; the own loopback is the own namespace', async () => {
  const { open } = createLab(scriptedState({}));
  const [client, server] = [open('10.244.0.1'), open('10.244.0.2')];
  greet(client, 8080);
  await expect(client.connect({ address: '10.244.0.2', port: 80 })).rejects.toThrow('dial tcp 10.244.0.2:80: connect: connection refused');
  await expect(client.connect({ address: '10.244.9.9', port: 80 })).rejects.toThrow('dial tcp 10.244.9.9:80: connect: no route to host');
  expect(await reach(client, { address: '127.0.0.1', port: 8080 })).toBe('10.244.0.1');
  await expect(server.connect({ address: '127.0.0.1', port: 8080 })).rejects.toThrow('connection refused');
});

test('a port is bound once', () => {
  const { open } = createLab(scriptedState({}));
  const namespace = open('10.244.0.1');
  const listener = namespace.listen({ port: 80 }, () => {});
  expect(() => namespace.listen({ address: '127.0.0.1', port: 80 }, () => {})).toThrow('bind: address already in use');
  expect(() => namespace.listen({ address: '10.0.0.9', port: 81 }, () => {})).toThrow('cannot assign requested address');
  listener.close();
  expect(namespace.listen({ port: 80 }, () => {}).local.port).toBe(80);
});

test('a closed namespace resets its connections and frees its address', async () => {
  const { open } = createLab(scriptedState({}));
  const [client, server] = [open('10.244.0.1'), open('10.244.0.2')];
  server.listen({ port: 80 }, () => {});
  const connection = await client.connect({ address: '10.244.0.2', port: 80 });
  const read = connection.source[Symbol.asyncIterator]().next();
  server.close();
  await expect(read).rejects.toThrow('connection reset by peer');
  await expect(client.connect({ address: '10.244.0.2', port: 80 })).rejects.toThrow('no route to host');
});

const service = (spec: object): object => ({
  metadata: { name: 'web' },
  spec: { clusterIPs: ['10.96.0.10'], ports: [{ name: 'http', port: 80 }], ...spec },
});
const slice = (...endpoints: readonly object[]): object => ({
  metadata: { name: 'web' },
  endpoints,
  ports: [{ name: 'http', port: 8080 }],
});

test('a Service leads to its ready endpoints, and without any it refuses', async () => {
  const notReady = ready('10.244.0.4', 'node-1', { ready: false });
  const { open } = createLab(
    scriptedState({ services: [service({})], slices: [slice(ready('10.244.0.2'), ready('10.244.0.3'), notReady)] }),
  );
  const client = open('10.244.0.1');
  for (const address of ['10.244.0.2', '10.244.0.3', '10.244.0.4']) greet(open(address), 8080);
  const greetings = new Set<string>();
  for (let tries = 0; tries < 30; tries++) greetings.add(await reach(client, { address: '10.96.0.10', port: 80 }));
  expect([...greetings].sort()).toEqual(['10.244.0.2', '10.244.0.3']);
  await expect(client.connect({ address: '10.96.0.10', port: 81 })).rejects.toThrow('connection refused');
  const empty = createLab(scriptedState({ services: [service({})], slices: [slice(notReady)] }));
  await expect(empty.open('10.244.0.1').connect({ address: '10.96.0.10', port: 80 })).rejects.toThrow('connection refused');
});

test('endpoints that terminate are used when no other is ready', async () => {
  const terminating = ready('10.244.0.2', 'node-1', { ready: false, serving: true, terminating: true });
  const { open } = createLab(scriptedState({ services: [service({})], slices: [slice(terminating)] }));
  greet(open('10.244.0.2'), 8080);
  expect(await reach(open('10.244.0.1'), { address: '10.96.0.10', port: 80 })).toBe('10.244.0.2');
});

test('endpoints that are published although they are not ready are used while they terminate', async () => {
  const published = ready('10.244.0.2', 'node-1', { ready: true, serving: false, terminating: true });
  const { open } = createLab(scriptedState({ services: [service({})], slices: [slice(published)] }));
  greet(open('10.244.0.2'), 8080);
  expect(await reach(open('10.244.0.1'), { address: '10.96.0.10', port: 80 })).toBe('10.244.0.2');
});

test('a node port with the external traffic policy Local leads clients on other nodes to endpoints of its node only', async () => {
  const spec = { type: 'NodePort', externalTrafficPolicy: 'Local', ports: [{ name: 'http', port: 80, nodePort: 30080 }] };
  const state = scriptedState({
    services: [service(spec)],
    slices: [slice(ready('10.244.0.2', 'node-1'))],
    nodes: { 'node-1': '172.18.0.2', 'node-2': '172.18.0.3' },
  });
  const { clock, fabric, open } = createLab(state);
  greet(open('10.244.0.2', 'node-1'), 8080);
  const host: EmulatedNamespace = new EmulatedNamespace({ node: 'node-2', pod: '', addresses: ['172.18.0.3'] }, fabric, () => {});
  fabric.add(host);
  expect(await reach(host, { address: '172.18.0.2', port: 30080 })).toBe('10.244.0.2');
  expect(await reach(host, { address: '172.18.0.3', port: 30080 })).toBe('10.244.0.2');
  const other: EmulatedNamespace = new EmulatedNamespace({ node: 'node-1', pod: '', addresses: ['172.18.0.2'] }, fabric, () => {});
  fabric.add(other);
  const pod = open('10.244.0.1', 'node-1');
  expect(await reach(pod, { address: '172.18.0.2', port: 30080 })).toBe('10.244.0.2');
  const dropped = [other, pod].map((one) =>
    expect(one.connect({ address: '172.18.0.3', port: 30080 })).rejects.toThrow('connection timed out'),
  );
  await clock.advance(127_000);
  await Promise.all(dropped);
});

test('hints of all endpoints lead to those for the node of the client, or for its zone', async () => {
  const hinted = (address: string, zone: string, node?: string): object => ({
    ...ready(address),
    hints: { forZones: [{ name: zone }], ...(node ? { forNodes: [{ name: node }] } : {}) },
  });
  const zones = { 'node-1': 'a', 'node-2': 'b', 'node-3': 'c' };
  const reached = async (node: string, ...endpoints: readonly object[]): Promise<readonly string[]> => {
    const { open } = createLab(scriptedState({ services: [service({})], slices: [slice(...endpoints)], zones }));
    for (const address of ['10.244.0.2', '10.244.0.3']) greet(open(address), 8080);
    const greetings = new Set<string>();
    for (let tries = 0; tries < 20; tries++) greetings.add(await reach(open('10.244.0.9', node), { address: '10.96.0.10', port: 80 }));
    return [...greetings].sort();
  };
  const [first, second] = [hinted('10.244.0.2', 'a'), hinted('10.244.0.3', 'b')];
  expect(await reached('node-1', first, second)).toEqual(['10.244.0.2']);
  expect(await reached('node-3', first, second)).toEqual(['10.244.0.2', '10.244.0.3']);
  expect(await reached('node-1', first, ready('10.244.0.3'))).toEqual(['10.244.0.2', '10.244.0.3']);
  expect(await reached('node-3', hinted('10.244.0.2', 'a', 'node-1'), hinted('10.244.0.3', 'b', 'node-3'))).toEqual(['10.244.0.3']);
});

test('session affinity leads a client to one endpoint until it times out', async () => {
  const spec = { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } } };
  const many = ['2', '3', '4', '5', '6'].map((last) => `10.244.0.${last}`);
  const { clock, open } = createLab(scriptedState({ services: [service(spec)], slices: [slice(...many.map((one) => ready(one)))] }));
  for (const address of many) greet(open(address), 8080);
  const client = open('10.244.0.1');
  const greetings = new Set<string>();
  for (let tries = 0; tries < 10; tries++) greetings.add(await reach(client, { address: '10.96.0.10', port: 80 }));
  expect(greetings.size).toBe(1);
  for (let tries = 0; tries < 10; tries++) {
    await clock.advance(11_000);
    greetings.add(await reach(client, { address: '10.96.0.10', port: 80 }));
  }
  expect(greetings.size).toBeGreaterThan(1);
});

test('an internal traffic policy Local uses endpoints of the own node only, and drops without one', async () => {
  const state = scriptedState({
    services: [service({ internalTrafficPolicy: 'Local' })],
    slices: [slice(ready('10.244.0.2', 'node-1'), ready('10.244.1.2', 'node-2'))],
  });
  const { clock, open } = createLab(state);
  greet(open('10.244.0.2', 'node-1'), 8080);
  greet(open('10.244.1.2', 'node-2'), 8080);
  expect(await reach(open('10.244.1.1', 'node-2'), { address: '10.96.0.10', port: 80 })).toBe('10.244.1.2');
  const dropped = open('10.244.2.1', 'node-3').connect({ address: '10.96.0.10', port: 80 });
  const outcome = expect(dropped).rejects.toThrow('dial tcp 10.96.0.10:80: connect: connection timed out');
  await clock.advance(127_000);
  await outcome;
});

/** The status and the body of a response. */
async function get(from: EmulatedNamespace, to: Endpoint, path: string): Promise<string> {
  const connection = await from.connect(to);
  await connection.sink.write(new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n`));
  let text = '';
  for await (const chunk of connection.source) text += new TextDecoder().decode(chunk);
  return `${text.slice(9, 12)} ${text.split('\r\n\r\n')[1]}`;
}

test('kube-proxy serves its health, its mode, and the health of Services on each node', async () => {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 };
  const state = scriptedState({
    services: [service(spec)],
    slices: [slice(ready('10.244.0.2', 'node-1'), ready('10.244.1.2', 'node-2', { ready: false }))],
    nodes: { 'node-1': '172.18.0.2', 'node-2': '172.18.0.3' },
  });
  const { fabric, open } = createLab(state);
  const host: EmulatedNamespace = new EmulatedNamespace({ node: 'node-1', pod: '', addresses: ['172.18.0.2'] }, fabric, () => {});
  fabric.add(host);
  expect(await get(host, { address: '127.0.0.1', port: 10249 }, '/proxyMode')).toBe('200 iptables');
  const pod = open('10.244.1.1', 'node-2');
  expect(await get(pod, { address: '172.18.0.3', port: 10256 }, '/healthz')).toMatch(/^200 {"lastUpdated": .*"nodeEligible": true}$/);
  await expect(pod.connect({ address: '172.18.0.3', port: 10249 })).rejects.toThrow('connection refused');
  await expect(pod.connect({ address: '127.0.0.1', port: 10256 })).rejects.toThrow('connection refused');
  expect(await get(pod, { address: '172.18.0.2', port: 32000 }, '/')).toMatch(/^200 [\s\S]*"localEndpoints": 1,/);
  expect(await get(pod, { address: '172.18.0.3', port: 32000 }, '/')).toMatch(/^503 [\s\S]*"localEndpoints": 0,/);
});

test('a node port and a host port lead to pods; other ports of a node refuse', async () => {
  const spec = { type: 'NodePort', ports: [{ name: 'http', port: 80, nodePort: 30080 }] };
  const state = scriptedState({ services: [service(spec)], slices: [slice(ready('10.244.0.2'))], nodes: { 'node-1': '172.18.0.2' } });
  const { fabric, open } = createLab(state);
  greet(open('10.244.0.2'), 8080);
  const client = open('10.244.0.1');
  expect(await reach(client, { address: '172.18.0.2', port: 30080 })).toBe('10.244.0.2');
  await expect(client.connect({ address: '172.18.0.2', port: 80 })).rejects.toThrow('connection refused');
  const hostPorts = [{ hostAddress: '', hostPort: 80, containerPort: 8080, protocol: 'TCP' as const }];
  const remove = fabric.hostPorts.add({ namespace: 'default', name: 'a', uid: 'u', node: 'node-1', addresses: ['10.244.0.2'], hostPorts });
  expect(await reach(client, { address: '172.18.0.2', port: 80 })).toBe('10.244.0.2');
  remove();
  await expect(client.connect({ address: '172.18.0.2', port: 80 })).rejects.toThrow('connection refused');
});

test('replies to a datagram come from the address of the Service', () => {
  const udp = service({ ports: [{ name: 'http', port: 53, protocol: 'UDP' }] });
  const { open } = createLab(scriptedState({ services: [udp], slices: [slice(ready('10.244.0.2'))] }));
  const [client, server] = [open('10.244.0.1'), open('10.244.0.2')];
  const socket = server.bind({ port: 8080 }, ({ bytes, from }) => socket.send(bytes, from));
  const received: Datagram[] = [];
  const own = client.bind({ port: 0 }, (datagram) => received.push(datagram));
  own.send(Uint8Array.of(1), { address: '10.96.0.10', port: 53 });
  expect(received.map(({ from }) => from)).toEqual([{ address: '10.96.0.10', port: 53 }]);
  own.send(Uint8Array.of(2), { address: '10.244.0.9', port: 53 });
  expect(received.length).toBe(1);
});

test('a client with TLS needs a listener with TLS', async () => {
  const { open } = createLab(scriptedState({}));
  const [client, server] = [open('10.244.0.1'), open('10.244.0.2')];
  greet(server, 80);
  const tls = { serverName: 'web', authorities: undefined };
  await expect(client.connect({ address: '10.244.0.2', port: 80 }, { tls })).rejects.toThrow(
    'tls: first record does not look like a TLS handshake',
  );
  server.listen({ port: 443, tls: { certificate: '' } }, () => {});
  expect((await client.connect({ address: '10.244.0.2', port: 443 }, { tls })).isSecure).toBe(true);
});

test('pods and nodes reply to ICMP echo requests, Services do not', () => {
  const service = { metadata: { name: 'web' }, spec: { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'], ports: [{ port: 80 }] } };
  const state = scriptedState({ services: [service], nodes: { 'node-1': '172.18.0.2', 'node-2': '172.18.0.3' } });
  const { open } = createLab(state);
  const client = open('10.244.0.1');
  open('10.244.0.2');
  open('10.244.1.2', 'node-2');
  const ttls = ['127.0.0.1', '10.244.0.1', '10.244.0.2', '10.244.1.2', '172.18.0.2', '172.18.0.3', '10.96.0.7', '10.244.0.3'];
  expect(ttls.map((address) => client.ping(address))).toEqual([64, 64, 63, 62, 64, 63, undefined, undefined]);
});

test('a network policy that does not allow all traffic drops ICMP echo requests', () => {
  const pod = (ip: string, app: string): object => ({
    metadata: { name: app, labels: { app } },
    spec: {},
    status: { podIP: ip, podIPs: [{ ip }] },
  });
  const policy = (ingress: readonly object[]): object => ({
    metadata: { name: 'p' },
    spec: { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'], ingress },
  });
  const pings = (ingress: readonly object[]): number | undefined => {
    const pods = [pod('10.244.0.1', 'client'), pod('10.244.0.2', 'web')];
    const { open } = createLab(scriptedState({ pods, policies: [policy(ingress)] }));
    const client = open('10.244.0.1');
    open('10.244.0.2');
    return client.ping('10.244.0.2');
  };
  expect([pings([]), pings([{ ports: [{ port: 80, protocol: 'TCP' }] }]), pings([{}])]).toEqual([undefined, undefined, 63]);
});
