import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createCertificate } from '../../src/hosts/node/certificates/certificate.ts';
import { bytesToBase64Url } from '../../src/meta/index.ts';
import { type ServedCluster, serveHandler, serveTestCluster } from './serve-scripted-node.ts';

let served: ServedCluster;
beforeAll(async () => {
  served = await serveTestCluster();
});
afterAll(() => served.close());

const configMaps = '/api/v1/namespaces/default/configmaps';
const asAdmin = { authorization: 'Bearer admin', origin: 'http://localhost' };

interface OpenWatch {
  readonly socket: WebSocket;
  /** The next message as it was sent. */
  next(): Promise<{ readonly data: Buffer; readonly isBinary: boolean }>;
}

function openWatch(target: string, protocols: string[], headers: Record<string, string> = asAdmin): OpenWatch {
  const socket = new WebSocket(`ws://${served.address}${target}`, protocols, { headers });
  const messages: { data: Buffer; isBinary: boolean }[] = [];
  let wake = (): void => {};
  socket.on('message', (data: Buffer, isBinary) => {
    messages.push({ data, isBinary });
    wake();
  });
  return {
    socket,
    async next() {
      if (messages.length === 0)
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          socket.once('error', reject);
          socket.once('close', () => reject(new Error('closed')));
        });
      return messages.shift() ?? this.next();
    },
  };
}

/** The status of a WebSocket request that is refused. */
const refusal = (target: string, protocols: string[], headers: Record<string, string>): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://${served.address}${target}`, protocols, { headers });
    socket.on('error', () => {});
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
  });

test('each event of a watch is a text message in JSON', async () => {
  const { cluster } = served;
  await cluster.create(configMaps, { metadata: { name: 'first' } });
  const { socket, next } = openWatch(`${configMaps}?watch=true`, []);
  const first = await next();
  expect(first.isBinary).toBe(false);
  expect(JSON.parse(first.data.toString())).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'first' } } });
  await Promise.all(['second', 'third'].map((name) => cluster.create(configMaps, { metadata: { name } })));
  const names = [await next(), await next()].map(({ data }) => JSON.parse(data.toString()).object.metadata.name);
  expect(names.sort()).toEqual(['second', 'third']);
  socket.close();
});

test('events in protobuf are binary messages without a length', async () => {
  const { socket, next } = openWatch(`${configMaps}?watch=true`, [], { ...asAdmin, accept: 'application/vnd.kubernetes.protobuf' });
  const { data, isBinary } = await next();
  expect(isBinary).toBe(true);
  // Field 1 of a WatchEvent, the type.
  expect(data.subarray(0, 7)).toEqual(Buffer.from('\x0a\x05ADDED', 'latin1'));
  socket.close();
});

test('a watch that ends closes the WebSocket normally', async () => {
  const { socket } = openWatch(`${configMaps}?watch=true&timeoutSeconds=1`, []);
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  await served.cluster.clock.advance(1500);
  expect(await closed).toBe(1000);
});

test('a client that disconnects ends the messages', async () => {
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const server = await serveHandler(async () => ({
    status: 101,
    headers: [],
    body: undefined,
    upgrade: {
      kind: 'websocket',
      protocol: undefined,
      async serve({ messages }) {
        for await (const _ of messages);
        ended();
      },
      cancel() {},
    },
  }));
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`);
  socket.on('open', () => socket.terminate());
  await end;
  await server.close(0);
});

test('the token may be in a subprotocol, which the response does not repeat', async () => {
  const token = `base64url.bearer.authorization.k8s.io.${bytesToBase64Url(new TextEncoder().encode('admin'))}`;
  const { socket, next } = openWatch(`${configMaps}?watch=true`, [token, 'base64.binary.k8s.io'], { origin: 'http://localhost' });
  expect((await next()).isBinary).toBe(false);
  expect(socket.protocol).toBe('base64.binary.k8s.io');
  socket.close();
});

test('a handshake without Origin is 403, with several protocols 400, and an error of the API has its status', async () => {
  expect(await refusal(`${configMaps}?watch=true`, [], { authorization: 'Bearer admin' })).toBe(403);
  expect(await refusal(`${configMaps}?watch=true`, ['a', 'b'], asAdmin)).toBe(400);
  expect(await refusal(`${configMaps}?watch=true&timeoutSeconds=x`, [], asAdmin)).toBe(400);
  expect(await refusal(`${configMaps}?watch=true`, [], { origin: 'http://localhost', authorization: 'Bearer bob' })).toBe(403);
});

test('a WebSocket is opened over TLS', async () => {
  const server = await serveHandler(served.cluster.handle, await createCertificate(['127.0.0.1'], Date.now()));
  const socket = new WebSocket(`wss://127.0.0.1:${server.port}${configMaps}?watch=true`, { headers: asAdmin, rejectUnauthorized: false });
  const message = await new Promise<Buffer>((resolve, reject) => {
    socket.once('message', resolve);
    socket.once('error', reject);
  });
  expect(JSON.parse(message.toString()).type).toBe('ADDED');
  socket.close();
  await server.close(0);
});

test('another protocol in the header Upgrade is ignored, with the body of the request', async () => {
  const server = await serveHandler(async (received) => {
    await received.receiveBody?.(1000);
    return {
      status: 200,
      headers: [],
      body: `${received.method} ${received.headers.get('upgrade')} ${Buffer.from(received.body ?? []).toString()}`,
    };
  });
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { connection: 'Upgrade', upgrade: 'h2c', 'content-length': '4' };
    const sent = request({ host: '127.0.0.1', port: server.port, method: 'POST', headers }, async (response) => {
      let body = '';
      for await (const part of response) body += String(part);
      resolve(body);
    });
    sent.on('error', reject);
    sent.end('body');
  });
  expect(text).toBe('POST null body');
  await server.close(0);
});

test('bytes after the head of an upgraded connection belong to the new protocol', async () => {
  const server = await serveHandler(async () => ({
    status: 101,
    headers: [['upgrade', 'SPDY/3.1']],
    body: undefined,
    upgrade: {
      kind: 'bytes',
      async serve({ source, sink }) {
        for await (const bytes of source) await sink.write(bytes);
        await sink.close();
      },
      cancel() {},
    },
  }));
  const socket = connect(server.port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\nearly ');
  socket.end('late');
  let text = '';
  for await (const part of socket) text += String(part);
  expect(text).toBe('HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\n\r\nearly late');
  await server.close(0);
});
