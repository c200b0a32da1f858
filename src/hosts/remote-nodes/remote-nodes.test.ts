import { expect, test } from 'vitest';
import { createManualClock, createMessagePair, createStreamPair, type MessageConnection } from '../../env/index.ts';
import {
  type ApiHandler,
  type ApiRequest,
  createFeatureGates,
  createHeaders,
  productByName,
  type WebSocketMessage,
} from '../../meta/index.ts';
import { NetworkError } from '../../network/index.ts';
import type { Dialer } from '../../streaming/index.ts';
import { createWebSocketProtocols } from '../../streaming/protocols/index.ts';
import { createScriptedKubelet } from '../../streaming/scripted-kubelet.test-support.ts';
import { RemoteNodes } from './remote-nodes.ts';
import { serveNodes } from './serve-nodes.ts';

const product = productByName('kubernetes');
const target = { namespace: 'default', name: 'web', uid: 'u', container: 'main' };
const { signal } = new AbortController();
const noRoute: ApiHandler = async () => ({ status: 404, headers: [], body: undefined });

/** Port 80 of every address returns what it receives, and nothing accepts connections of port 81. */
const echoDialer: Dialer = {
  async dial({ port }) {
    if (port === 81) throw new NetworkError('ECONNREFUSED', 'connection refused');
    if (port !== 80) throw new Error('tls: handshake failure');
    const [server, client] = createStreamPair();
    void (async () => {
      for await (const bytes of server.source) await server.sink.write(bytes);
      await server.sink.close();
    })();
    return client;
  },
};

/** Nodes of another thread that have connected. */
async function connect(): Promise<{ readonly nodes: RemoteNodes; stop(): Promise<void> }> {
  const nodes = new RemoteNodes();
  const kubelet = createScriptedKubelet();
  const abort = new AbortController();
  const served = serveNodes(
    {
      kubeletOf: (node) => (node === 'node-1' ? kubelet : undefined),
      dialer: echoDialer,
      protocols: createWebSocketProtocols({ product, featureGates: createFeatureGates('') }),
    },
    { api: nodes.wrapHandler(noRoute), nodes: ['node-1'], clock: createManualClock(), signal: abort.signal },
  );
  while (!nodes.kubeletOf('node-1')) await new Promise((resolve) => setImmediate(resolve));
  return {
    nodes,
    async stop() {
      abort.abort();
      nodes.close();
      await served;
    },
  };
}

const logRequest = {
  ...target,
  follow: false,
  previous: false,
  timestamps: false,
  sinceSeconds: undefined,
  sinceTime: undefined,
  tailLines: 2,
  limitBytes: undefined,
  stream: 'All',
} as const;

const execRequest: ApiRequest = {
  method: 'GET',
  target: '/exec',
  headers: createHeaders([
    ['connection', 'Upgrade'],
    ['upgrade', 'websocket'],
    ['sec-websocket-protocol', 'v5.channel.k8s.io'],
  ]),
  body: undefined,
  acceptsUpgrade: true,
  signal,
};

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const bytes of source) text += new TextDecoder().decode(bytes);
  return text;
}

test('the log of a container in another thread is streamed, and errors of its kubelet keep their status', async () => {
  const { nodes, stop } = await connect();
  const kubelet = nodes.kubeletOf('node-1');
  if (!kubelet) throw new Error('the node has not connected');
  expect(await textOf(await kubelet.containerLogs(logRequest, signal))).toBe('two\nthree\n');
  await expect(kubelet.containerLogs({ ...logRequest, container: 'other' }, signal)).rejects.toMatchObject({ status: 400 });
  expect(nodes.kubeletOf('node-2')).toBeUndefined();
  await stop();
});

test('a command in a container of another thread has its streams and its exit code', async () => {
  const { nodes, stop } = await connect();
  const streams = { stdin: true, stdout: true, stderr: true, tty: false };
  const response = await nodes
    .kubeletOf('node-1')
    ?.serveStreams(execRequest, { kind: 'exec', target, streams, command: ['cat'], hasTerminal: false });
  if (response?.upgrade?.kind !== 'websocket') throw new Error('the protocol has not switched');
  const [server, client]: readonly MessageConnection<WebSocketMessage>[] = createMessagePair<WebSocketMessage>();
  if (!server || !client) throw new Error('no pair');
  void response.upgrade.serve(server);
  await client.send(Uint8Array.of(0, 104, 105));
  await client.send(Uint8Array.of(255, 0));
  const texts: string[] = [];
  for await (const message of client.messages) {
    texts.push(typeof message === 'string' ? message : `${message[0]}:${new TextDecoder().decode(message.subarray(1))}`);
    if (texts.at(-1)?.startsWith('3:')) await client.close();
  }
  expect(texts).toEqual(['1:', '1:hi', '3:{"metadata":{},"status":"Success"}']);
  await stop();
});

test('the API server connects to addresses of the network in another thread', async () => {
  const { nodes, stop } = await connect();
  const stream = await nodes.dial({ host: '10.244.0.5', port: 80, tls: undefined }, signal);
  await stream.sink.write(new TextEncoder().encode('echo'));
  await stream.sink.close();
  expect(await textOf(stream.source)).toBe('echo');
  await expect(nodes.dial({ host: '10.244.0.5', port: 81, tls: undefined }, signal)).rejects.toMatchObject({
    code: 'EHOSTUNREACH',
    message: 'connection refused',
  });
  await expect(nodes.dial({ host: '10.244.0.5', port: 443, tls: undefined }, signal)).rejects.toThrow('tls: handshake failure');
  await stop();
});

test('nodes that have disconnected cannot be reached, until they connect again', async () => {
  const { nodes, stop } = await connect();
  await stop();
  expect(nodes.kubeletOf('node-1')).toBeUndefined();
  await expect(nodes.dial({ host: '10.244.0.5', port: 80, tls: undefined }, signal)).rejects.toThrow('no route to host');
});
