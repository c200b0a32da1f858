import { expect, test } from 'vitest';
import { createStreamPair } from '../../env/index.ts';
import { sendHttp } from '../../http/index.ts';
import { type ClusterNetwork, type Connection, type Endpoint, NetworkError, type NetworkNamespace } from '../../network/index.ts';
import { TestSandbox } from './sandbox.test-support.ts';

/** A network whose pods share their ports, and in which every name leads to the same address. */
function createLoopback(): ClusterNetwork & { readonly opened: object[]; readonly isClosed: () => boolean } {
  const ports = new Map<number, (connection: Connection) => void>();
  const opened: object[] = [];
  let isClosed = false;
  const remote: Endpoint = { address: '10.244.0.9', port: 40_000 };
  const namespace: NetworkNamespace = {
    addresses: ['10.244.0.2'],
    listen({ port }, accept) {
      ports.set(port, accept);
      return { local: { address: '', port }, close: () => ports.delete(port) };
    },
    async connect({ address, port }) {
      const accept = ports.get(port);
      if (!accept) throw new NetworkError('ECONNREFUSED', 'connection refused');
      const [client, server] = createStreamPair();
      accept({ ...server, isSecure: false, local: { address, port }, remote });
      return { ...client, isSecure: false, local: remote, remote: { address, port } };
    },
    bind: () => ({ local: remote, send: () => {}, close: () => {} }),
    query: async (name) =>
      name === 'api.ns.svc.cluster.local.'
        ? { code: 'NOERROR', records: [{ name, type: 'A', ttlSeconds: 5, value: '10.96.0.9' }] }
        : { code: 'NXDOMAIN', records: [] },
    close: () => {
      isClosed = true;
    },
  };
  return {
    openPod(pod) {
      opened.push(pod);
      return namespace;
    },
    hostOf: () => namespace,
    opened,
    isClosed: () => isClosed,
  };
}

const agnhost = 'registry.k8s.io/e2e-test-images/agnhost';

test('a server of a container is reached through the network of its pod, until it ends', async () => {
  const network = createLoopback();
  const pod = new TestSandbox({}, {}, network);
  const server = await pod.start({ args: ['netexec', '--http-port=80'] }, agnhost);
  await pod.advance(1);
  expect(network.opened).toEqual([{ namespace: 'ns', name: 'web', uid: 'u', node: 'node-1', addresses: ['10.244.0.2'], hostPorts: [] }]);
  const stream = await pod.sandbox.dial(80, new AbortController().signal);
  const response = await sendHttp(stream, { method: 'GET', target: '/clientip', headers: [['Host', 'web']], body: undefined });
  let body = '';
  for await (const bytes of response.body) body += new TextDecoder().decode(bytes);
  expect([response.status, body]).toEqual([200, '10.244.0.9:40000']);
  server.kill();
  await pod.advance(1);
  const refused = pod.sandbox.dial(80, new AbortController().signal);
  await expect(refused).rejects.toThrow('dial tcp4 127.0.0.1:80: connect: connection refused');
  pod.sandbox.dispose();
  expect(network.isClosed()).toBe(true);
});

test.each([
  ['wget -qO- http://api/echo?msg=hello', 'hello'],
  ['wget -q -O /tmp/f web/hostname && cat /tmp/f', 'web'],
  ['wget -qO- http://web/none; echo $?', 'NOW: 2026-01-01T00:00:01.000Z0\n'],
  ['wget -qO- http://web:81; echo $?', "wget: can't connect to remote host (web): Connection refused\n1\n"],
  ['wget -qO- http://other; echo $?', "wget: bad address 'other'\n1\n"],
  ["curl -s -w '%{http_code}' -d msg=a http://web/echo", 'a200'],
  ['curl http://web:81', 'curl: (7) Failed to connect to web port 81: Connection refused\n'],
  ['curl -f -s "http://web/echo?code=404"; echo $?', '22\n'],
  ['nslookup api | tail -n 3', 'Name:\tapi\nAddress: 10.96.0.9\n\n'],
  ['nc -zv api 80', 'api (10.96.0.9:80) open\n'],
])('%s', async (script, output) => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ args: ['netexec', '--http-port=80'], name: 'server' }, agnhost);
  await pod.advance(1);
  await pod.start({ command: ['sh', '-c', script] }, agnhost);
  await pod.advance(2);
  expect(await pod.logs()).toBe(output);
});
