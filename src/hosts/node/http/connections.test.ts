import { once } from 'node:events';
import http2 from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createManualClock, createMemoryLog } from '../../../env/index.ts';
import type { ApiHandler } from '../../../meta/index.ts';
import { createCertificate } from '../certificates/certificate.ts';
import { tlsDefaults } from '../certificates/tls-options.ts';
import { type ConnectionLimits, connectionLimits } from './connections.ts';
import { type RunningServer, startHttpServer } from './http-server.ts';

async function* endless(): AsyncGenerator<string> {
  for (;;) yield 'x'.repeat(64 * 1024);
}

const watch: AsyncIterable<string> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** A watch, a list that never ends, or a text. */
const handle: ApiHandler = async ({ target }) => {
  if (target === '/watch') return { status: 200, headers: [], body: watch, isEventStream: true };
  return { status: 200, headers: [], body: target === '/list' ? endless() : 'x'.repeat(1000) };
};

const start = async (answer: ApiHandler, limits: ConnectionLimits): Promise<RunningServer> =>
  startHttpServer({
    handle: answer,
    bindAddress: '127.0.0.1',
    port: 0,
    certificate: await createCertificate(['localhost'], Date.now()),
    clientAuthorities: '',
    clock: createManualClock(),
    log: createMemoryLog(),
    tls: tlsDefaults,
    limits,
    maxHttp2Streams: 100,
  });

let server: RunningServer;
beforeAll(async () => {
  server = await start(handle, {
    ...connectionLimits,
    headersMs: 100,
    requestMs: 200,
    idleMs: 100,
    responseMs: 150,
    stalledMs: 1_000,
    sweepMs: 30,
  });
});
afterAll(() => server.close());

/** All data received on a connection until the server closes it. */
function untilEnded(socket: TLSSocket): Promise<string> {
  let received = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    received += part;
  });
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve(received)));
}

const open = (protocols: readonly string[] = []): TLSSocket =>
  connect({ port: server.port, rejectUnauthorized: false, ALPNProtocols: [...protocols] });

/** Sends requests on a connection, one after the other. */
function createRequester(socket: TLSSocket, [protocol]: readonly string[]): () => Promise<unknown> {
  if (protocol === undefined) {
    return () => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      return once(socket, 'data');
    };
  }
  const session = http2.connect('https://localhost', { createConnection: () => socket });
  return () => once(session.request({ ':path': '/' }).resume(), 'close');
}

test.each(['', 'GET / HTT', 'GET / HTTP/1.1\r\nHost: x\r\nA: '])(
  'closes a connection with %j as incomplete head, without a response',
  async (head) => {
    const socket = open();
    socket.write(head);
    expect(await untilEnded(socket)).toBe('');
  },
);

test('closes an HTTP/2 connection without requests or preface', async () => {
  await untilEnded(open(['h2']));
  const session = http2.connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
  await new Promise<void>((resolve) => void session.once('close', resolve));
});

test('closes an idle connection between two requests', async () => {
  const socket = open();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await untilEnded(socket)).toContain('200 OK');
});

test.each([
  ['HTTP/1.1', []],
  ['HTTP/2', ['h2']],
])('counts the idle time of a connection with %s from its last request', async (_, protocols) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [sweepMs, idleSweeps] = [1_000, 5];
  const other = await start(handle, { ...connectionLimits, idleMs: idleSweeps * sweepMs, sweepMs });
  const socket = connect({ port: other.port, rejectUnauthorized: false, ALPNProtocols: protocols });
  const closed = once(socket, 'close');
  const request = createRequester(socket, protocols);
  for (let count = 0; count < 3 * idleSweeps; count++) {
    await request();
    vi.advanceTimersByTime(sweepMs);
  }
  await request();
  vi.advanceTimersByTime((idleSweeps + 2) * sweepMs);
  await closed;
  vi.useRealTimers();
  await other.close();
});

test('does not limit the duration of a watch, over both HTTP versions', async () => {
  const plain = open();
  plain.write('GET /watch HTTP/1.1\r\nHost: x\r\n\r\n');
  const session = http2.connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
  const stream = session.request({ ':path': '/watch' });
  await new Promise((resolve) => stream.once('response', resolve));
  // Several times the timeout of other responses.
  for (let count = 0; count < 3; count++) await untilEnded(open(['h2']));
  expect([plain.destroyed, session.closed, stream.closed]).toEqual([false, false, false]);
  plain.destroy();
  session.destroy();
});

test.each(['/list', '/text'])('ends the response %s to an HTTP/2 client that reads nothing', async (path) => {
  const session = http2.connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false, settings: { initialWindowSize: 0 } });
  const stream = session.request({ ':path': path });
  stream.on('error', () => undefined);
  await new Promise<void>((resolve) => void stream.once('close', resolve));
  expect(stream.rstCode).not.toBe(http2.constants.NGHTTP2_NO_ERROR);
  session.destroy();
});

test('ends a list when the client reads too slowly', async () => {
  const socket = open();
  socket.write('GET /list HTTP/1.1\r\nHost: x\r\n\r\n');
  let received = 0;
  socket.on('data', (part: Buffer) => {
    received += part.length;
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  expect(received).toBeGreaterThan(0);
});

test('answers a large request that arrives before the previous response is sent', async () => {
  const echo: ApiHandler = async (request) => {
    await request.receiveBody?.(1 << 20);
    return { status: 200, headers: [], body: 'x'.repeat(4 << 20) };
  };
  const other = await start(echo, connectionLimits);
  const socket = connect({ port: other.port, rejectUnauthorized: false });
  const ended = untilEnded(socket);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const body = 'y'.repeat(300_000);
  for (let count = 0; count < 5; count++) socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  socket.resume();
  expect((await ended).match(/HTTP\/1\.1 \d+ [A-Za-z ]+/g)).toEqual(Array.from({ length: 7 }, () => 'HTTP/1.1 200 OK'));
  await other.close();
});

test('resumes reading a connection after a request waited for the previous response', async () => {
  let received = 0;
  const other = await start(async () => {
    received++;
    return { status: 200, headers: [], body: 'x'.repeat(4 << 20) };
  }, connectionLimits);
  const socket = connect({ port: other.port, rejectUnauthorized: false });
  const ended = untilEnded(socket);
  socket.pause();
  for (const count of [1, 2]) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => received).toBe(count);
  }
  const answered = new Promise<void>((resolve) => {
    let bytes = 0;
    socket.on('data', (part) => {
      bytes += part.length;
      if (bytes > 2 * (4 << 20)) resolve();
    });
  });
  socket.resume();
  await answered;
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect((await ended).match(/HTTP\/1\.1 \d+ [A-Za-z ]+/g)).toEqual(Array.from({ length: 3 }, () => 'HTTP/1.1 200 OK'));
  await other.close();
});
