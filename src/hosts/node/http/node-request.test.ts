import http2, { type ClientHttp2Session } from 'node:http2';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../../env/index.ts';
import type { ApiHandler } from '../../../meta/index.ts';
import { createCertificate, type ServerCertificate } from '../certificates/certificate.ts';
import { tlsDefaults } from '../certificates/tls-options.ts';
import { connectionLimits } from './connections.ts';
import { type RunningServer, startHttpServer } from './http-server.ts';

/** Answers `/unread` without reading the body, other paths with its length; `/close` sends `connection: close`. */
const handle: ApiHandler = async (request) => {
  if (request.target === '/unread') return { status: 401, headers: [], body: 'no' };
  if (request.target === '/close') return { status: 200, headers: [['connection', 'close']], body: 'last' };
  await request.receiveBody?.(1000);
  const body = request.bodyIsTooLarge ? 'too large' : String(request.body?.length ?? 'none');
  return { status: 200, headers: [], body };
};

const startServer = (handler: ApiHandler, certificate: ServerCertificate | undefined): Promise<RunningServer> =>
  startHttpServer({
    handle: handler,
    bindAddress: '127.0.0.1',
    port: 0,
    certificate,
    clientAuthorities: '',
    clock: createManualClock(),
    log: createMemoryLog(),
    tls: tlsDefaults,
    limits: connectionLimits,
    maxHttp2Streams: 3,
  });

const servers: RunningServer[] = [];
beforeAll(async () => {
  for (const certificate of [await createCertificate(['localhost'], Date.now()), undefined])
    servers.push(await startServer(handle, certificate));
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

const secure = (): number => servers[0]?.port ?? 0;

/** An HTTP/1.1 connection and all data received on it. */
function open(over: 'tls' | 'tcp'): { readonly socket: Socket; received(): string; readonly closed: Promise<void> } {
  const port = servers[over === 'tls' ? 0 : 1]?.port ?? 0;
  const socket: Socket = over === 'tls' ? connect({ port, rejectUnauthorized: false }) : connectPlain({ port });
  let received = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    received += part;
  });
  socket.on('error', () => undefined);
  return { socket, received: () => received, closed: new Promise((resolve) => void socket.once('close', () => resolve())) };
}

const head = (path: string, ...headers: readonly string[]): string => [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

test.each(['tls', 'tcp'] as const)(
  'responds before an unfinished body and closes the connection when the rest is long, over %s',
  async (over) => {
    for (const header of ['Content-Length: 1000000000', 'Transfer-Encoding: chunked']) {
      const { socket, received, closed } = open(over);
      socket.write(head('/unread', header));
      await closed;
      expect(received()).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n/);
      expect(received().toLowerCase()).toContain('connection: close\r\n');
      expect(received().endsWith('no')).toBe(true);
    }
  },
);

test('discards the rest of a short unread body, and keeps the connection alive', async () => {
  const { socket, received, closed } = open('tls');
  socket.write(head('/unread', 'Content-Length: 4'));
  await expect.poll(received).toContain('\r\n\r\nno');
  // Go's server sends no keep-alive headers.
  expect(received().toLowerCase()).not.toMatch(/connection:|keep-alive/);
  socket.write(`body${head('/read', 'Content-Length: 5', 'Connection: close')}12345`);
  await closed;
  expect(received().endsWith('\r\n\r\n5')).toBe(true);
});

test('sends 100 Continue only when the body is read', async () => {
  const refused = open('tls');
  refused.socket.write(head('/unread', 'Content-Length: 4', 'Expect: 100-continue'));
  await refused.closed;
  expect(refused.received()).toMatch(/^HTTP\/1.1 401 /);
  const read = open('tls');
  read.socket.write(head('/read', 'Content-Length: 4', 'Expect: 100-continue', 'Connection: close'));
  await expect.poll(read.received).toContain('HTTP/1.1 100 Continue\r\n\r\n');
  read.socket.write('body');
  await read.closed;
  expect(read.received().endsWith('\r\n\r\n4')).toBe(true);
});

test('rejects a body that is declared too large without reading it, and another one as soon as it exceeds the limit', async () => {
  const declared = open('tls');
  declared.socket.write(head('/read', 'Content-Length: 1001'));
  await expect.poll(declared.received).toContain('too large');
  declared.socket.destroy();
  const chunked = open('tls');
  chunked.socket.write(`${head('/read', 'Transfer-Encoding: chunked')}3e9\r\n${'x'.repeat(1001)}\r\n`);
  await chunked.closed;
  expect(chunked.received()).toContain('too large');
  expect(chunked.received().toLowerCase()).toContain('connection: close');
});

async function session(): Promise<ClientHttp2Session> {
  const client = http2.connect(`https://127.0.0.1:${secure()}`, { rejectUnauthorized: false });
  client.on('error', () => undefined);
  await new Promise((resolve) => client.once('remoteSettings', resolve));
  return client;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly code: number;
}

/** `body` undefined: the body never ends. */
function send(client: ClientHttp2Session, path: string, body: string | undefined): Promise<Answered> {
  return new Promise((resolve) => {
    const stream = client.request({ ':path': path, ':method': 'POST' }, { endStream: false });
    let [status, text] = [0, ''];
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    stream.on('error', () => undefined);
    stream.on('close', () => resolve({ status, text, code: stream.rstCode }));
    if (body === undefined) stream.write('a');
    else stream.end(body);
  });
}

test('responds before an unfinished body on HTTP/2, and resets the stream without an error', async () => {
  const client = await session();
  expect(await send(client, '/unread', undefined)).toEqual({ status: 401, text: 'no', code: http2.constants.NGHTTP2_NO_ERROR });
  expect(await send(client, '/read', 'x'.repeat(1001))).toMatchObject({ status: 200, text: 'too large' });
  expect(await send(client, '/read', '123')).toMatchObject({ status: 200, text: '3' });
  client.destroy();
});

/** A frame of HTTP/2. Cf. RFC 9113, section 4.1. */
function frame(type: number, flags: number, streamId: number, payload: Uint8Array): Buffer {
  const frameHead = Buffer.alloc(9);
  frameHead.writeUIntBE(payload.length, 0, 3);
  frameHead[3] = type;
  frameHead[4] = flags;
  frameHead.writeUInt32BE(streamId, 5);
  return Buffer.concat([frameHead, payload]);
}

/** Header fields as literals without indexing. Cf. RFC 7541, section 6.2.2. */
const headerBlock = (fields: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(fields).map(([name, value]) =>
      Buffer.from(`\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`),
    ),
  );

/** Type, flags and stream id of the complete frames in the bytes, as `1/4/1`. */
function framesIn(bytes: Buffer): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    found.push(`${bytes[at + 3]}/${bytes[at + 4]}/${bytes.readUInt32BE(at + 5)}`);
  return found;
}

test('sends END_STREAM before it resets an HTTP/2 stream with an unread body', async () => {
  const socket = connect({ port: secure(), rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  let received = Buffer.alloc(0);
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
  });
  const fields = { ':method': 'PUT', ':path': '/unread', ':scheme': 'https', ':authority': 'x' };
  const [settings, headers] = [frame(4, 0, 0, new Uint8Array()), frame(1, 4, 1, headerBlock(fields))];
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settings, headers]));
  const framesOfStream = (): readonly string[] => framesIn(received).filter((found) => found.endsWith('/1'));
  await expect.poll(framesOfStream).toContain('3/0/1');
  // HEADERS, DATA, DATA with END_STREAM, RST_STREAM.
  expect(framesOfStream()).toEqual(['1/4/1', '0/0/1', '0/1/1', '3/0/1']);
  socket.destroy();
});

test('sends GOAWAY instead of a connection header over HTTP/2', async () => {
  const client = await session();
  const ended = new Promise((resolve) => client.once('goaway', resolve));
  expect(await send(client, '/close', '')).toMatchObject({ status: 200, text: 'last' });
  await ended;
  await expect.poll(() => client.closed).toBe(true);
});

test('announces the limit of concurrent streams', async () => {
  const client = await session();
  expect(client.remoteSettings.maxConcurrentStreams).toBe(3);
  client.destroy();
});

test('closes a connection with rapid stream resets', async () => {
  const client = await session();
  const ended = new Promise<number>((resolve) => client.once('goaway', resolve));
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  for (let count = 0; count < 5_000 && !isEnded && !client.closed; count++) {
    const stream = client.request({ ':path': '/read', ':method': 'POST' }, { endStream: false });
    stream.on('error', () => undefined);
    stream.close(http2.constants.NGHTTP2_CANCEL);
    if (count % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ended).not.toBe(http2.constants.NGHTTP2_NO_ERROR);
});

test('ends the response body when the client disconnected before it started', async () => {
  let [answerNow, isReceived, isEnded] = [() => {}, false, false];
  const ready = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  const body: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: 'x' }),
      return: async () => {
        isEnded = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const slow: ApiHandler = async ({ signal }) => {
    isReceived = true;
    await ready;
    expect(signal.aborted).toBe(true);
    return { status: 200, headers: [], body };
  };
  const server = await startServer(slow, undefined);
  const socket = connectPlain({ port: server.port });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => isReceived).toBe(true);
  socket.destroy();
  await server.drain(10_000);
  answerNow();
  await expect.poll(() => isEnded).toBe(true);
  await server.close();
});
