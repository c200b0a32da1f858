import { expect, test } from 'vitest';
import { createAuditLog } from '../../client/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { type ApiHandler, type ApiResponse, createFeatureGates, createHeaders, type JsonObject, productByName } from '../../meta/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { channelTexts, openFakeSocket } from '../../streaming/protocols/fake-socket.test-support.ts';
import { createStreamProtocols } from '../../streaming/protocols/index.ts';
import { createScriptedKubelet, type ScriptedKubelet } from '../../streaming/scripted-kubelet.test-support.ts';
import { RuntimeAudit } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const product = productByName('kubernetes');
const web = '/api/v1/namespaces/default/pods/web';

interface Lab {
  readonly cluster: TestCluster;
  readonly kubelet: ScriptedKubelet;
  readonly audited: ApiHandler;
  /** Requests a WebSocket. */
  open(method: string, target: string, protocol: string, token?: string): Promise<ApiResponse>;
}

/** A cluster with the pod `web` on a node whose kubelet is scripted. */
async function createLab(): Promise<Lab> {
  const kubelet = createScriptedKubelet();
  const storage = createMemoryKeySpace(createManualClock());
  const env = { clock: createManualClock(), random: createSeededRandom(1), log: createMemoryLog() };
  const audit = await RuntimeAudit.open({ storage, product, env });
  const cluster = await startTestCluster({
    storage,
    auditing: audit.auditing,
    streamProtocols: createStreamProtocols({
      product,
      featureGates: createFeatureGates(),
      clock: env.clock,
      createCompression: () => {
        throw new Error('not used');
      },
    }),
    nodes: ({ kubelets }) => kubelets?.register('node-1', kubelet) ?? (() => {}),
  });
  await cluster.create('/api/v1/nodes', { metadata: { name: 'node-1' } });
  const addresses = [{ type: 'InternalIP', address: '172.18.0.2' }];
  await cluster.send('PUT', '/api/v1/nodes/node-1/status', { metadata: { name: 'node-1' }, status: { addresses } });
  await cluster.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const containers = ['main', 'other'].map((name) => ({ name, image: 'x', tty: name === 'main' }));
  const spec = { nodeName: 'node-1', automountServiceAccountToken: false, containers };
  await cluster.create('/api/v1/namespaces/default/pods', { metadata: { name: 'web' }, spec });
  return {
    cluster,
    kubelet,
    audited: audit.wrapHandler(cluster.handle),
    open: (method, target, protocol, token = 'admin') =>
      cluster.handle({
        method,
        target,
        headers: createHeaders([
          ['authorization', `Bearer ${token}`],
          ['connection', 'Upgrade'],
          ['upgrade', 'websocket'],
          ['sec-websocket-protocol', protocol],
        ]),
        body: undefined,
        signal: new AbortController().signal,
        acceptsUpgrade: true,
      }),
  };
}

test('exec needs the right to the verb of its method', async () => {
  const { open } = await createLab();
  const target = `${web}/exec?container=main&command=echo&stdout=1`;
  const messageOf = async (method: string): Promise<unknown> => bodyOf(await open(method, target, 'v5.channel.k8s.io', 'bob'))['message'];
  expect(await messageOf('GET')).toMatch(/^pods "web" is forbidden: User "bob" cannot get resource "pods\/exec"/);
  expect(await messageOf('POST')).toMatch(/^pods "web" is forbidden: User "bob" cannot create resource "pods\/exec"/);
});

test('exec sends its options to the kubelet, without a stream for errors when it has a terminal', async () => {
  const { kubelet, open } = await createLab();
  const options = 'container=main&command=echo&command=a%20b&stdin=true&stdout=true&stderr=true&tty=true';
  const client = openFakeSocket(await open('POST', `${web}/exec?${options}`, 'v5.channel.k8s.io'));
  await client.served;
  expect(channelTexts(client.received)[1]).toBe('1:a b\n');
  expect(kubelet.requests.at(-1)).toMatchObject({
    kind: 'exec',
    request: {
      namespace: 'default',
      name: 'web',
      container: 'main',
      command: ['echo', 'a b'],
      stdin: true,
      stdout: true,
      stderr: false,
      tty: true,
    },
  });
});

test('attach has the terminal of the container, whatever is requested', async () => {
  const { kubelet, open } = await createLab();
  const client = openFakeSocket(await open('GET', `${web}/attach?container=main&stdin=1&stdout=1`, 'v4.channel.k8s.io'));
  client.disconnect();
  await client.served;
  expect(kubelet.requests.at(-1)).toMatchObject({ kind: 'attach', request: { tty: true } });
});

test('a session without streams is refused by the kubelet', async () => {
  const { open } = await createLab();
  expect(await open('GET', `${web}/exec?container=main&command=ls`, 'v4.channel.k8s.io')).toMatchObject({
    status: 400,
    body: 'you must specify at least 1 of stdin, stdout, stderr',
  });
});

test('a session is audited when it starts and when it ends', async () => {
  const { audited, open } = await createLab();
  const client = openFakeSocket(await open('GET', `${web}/exec?container=main&command=wait&stdout=1`, 'v5.channel.k8s.io'));
  const stages = async (): Promise<unknown[]> => {
    const lines = (await createAuditLog(audited).lines())
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as JsonObject]));
    const own = lines.filter(({ requestURI }) => String(requestURI).includes('/exec'));
    return own.map(({ stage, responseStatus }) => [stage, (responseStatus as JsonObject | undefined)?.['code']]);
  };
  const started = await stages();
  expect(started).toContainEqual(['ResponseStarted', 101]);
  expect(started).not.toContainEqual(['ResponseComplete', 101]);
  client.disconnect();
  await client.served;
  expect(await stages()).toContainEqual(['ResponseComplete', 101]);
});

test('a log is text, or the messages of a WebSocket', async () => {
  const { cluster, open } = await createLab();
  const { status, headers, body } = await cluster.send('GET', `${web}/log?container=main&tailLines=2`);
  let text = '';
  for await (const bytes of body as AsyncIterable<Uint8Array>) text += new TextDecoder().decode(bytes);
  expect([status, text]).toEqual([200, 'two\nthree\n']);
  expect(headers).toContainEqual(['content-type', 'text/plain']);
  const client = openFakeSocket(await open('GET', `${web}/log?container=main&tailLines=1`, 'base64.binary.k8s.io'));
  await client.served;
  expect(client.received).toEqual(['', btoa('three\n')]);
  expect((await open('GET', `${web}/log?container=main`, 'unknown.k8s.io')).status).toBe(403);
});

test('the error of a kubelet is the error of the log', async () => {
  const { cluster } = await createLab();
  const response = await cluster.send('GET', `${web}/log?container=other`);
  expect([response.status, bodyOf(response)]).toMatchObject([
    400,
    { reason: 'BadRequest', message: 'container "other" in pod "web" is waiting to start: ContainerCreating' },
  ]);
});
