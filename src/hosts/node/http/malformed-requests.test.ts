import { connect as connectPlain, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../../env/index.ts';
import { createCertificate } from '../certificates/certificate.ts';
import { tlsDefaults } from '../certificates/tls-options.ts';
import { connectionLimits } from './connections.ts';
import { type RunningServer, startHttpServer } from './http-server.ts';

/** Servers that answer with the target and the length of the authorization header, over TLS and without. */
const servers: RunningServer[] = [];
beforeAll(async () => {
  for (const certificate of [await createCertificate(['localhost'], Date.now()), undefined])
    servers.push(
      await startHttpServer({
        handle: async ({ target, headers }) => ({
          status: 200,
          headers: [],
          body: `${target} ${(headers.get('authorization') ?? '').length}`,
        }),
        bindAddress: '127.0.0.1',
        port: 0,
        certificate,
        clientAuthorities: '',
        log: createMemoryLog(),
        tls: tlsDefaults,
        limits: connectionLimits,
        maxHttp2Streams: 100,
        clock: createManualClock(),
      }),
    );
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** The server's response to these bytes until it closes the connection; `over`: 0 with TLS, 1 without. */
async function answerTo(text: string, over: number): Promise<string> {
  const port = servers[over]?.port ?? 0;
  const socket: Socket = over === 0 ? connect({ port, rejectUnauthorized: false }) : connectPlain({ port });
  let response = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    response += part;
  });
  socket.write(text, 'latin1');
  // The server may close the connection before all is sent.
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return response;
}

const request = (line: string, ...headers: readonly string[]): string => `${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;
const host = 'Host: x';

test.each([
  [
    'without a host',
    request('GET / HTTP/1.1'),
    '400 Bad Request: missing required Host header',
    '400 Bad Request: missing required Host header',
  ],
  ['with two hosts', request('GET / HTTP/1.1', host, 'Host: y'), '400 Bad Request', '400 Bad Request'],
  [
    'with an invalid host',
    request('GET / HTTP/1.1', 'Host: a b'),
    '400 Bad Request: malformed Host header',
    '400 Bad Request: malformed Host header',
  ],
  ['with a header without a name', request('GET / HTTP/1.1', host, ': b'), '400 Bad Request', '400 Bad Request'],
  ['with a line feed in a header', request('GET / HTTP/1.1', host, 'a: b\rc'), '400 Bad Request', '400 Bad Request'],
  ['with two lengths', request('POST / HTTP/1.1', host, 'Content-Length: 4', 'Content-Length: 5'), '400 Bad Request', '400 Bad Request'],
  [
    'with an unknown coding',
    request('POST / HTTP/1.1', host, 'Transfer-Encoding: x'),
    '501 Not Implemented',
    'Unsupported transfer encoding',
  ],
  [
    'with headers beyond all measure',
    request('GET / HTTP/1.1', host, `a: ${'b'.repeat(1_200_000)}`),
    '431 Request Header Fields Too Large',
    '431 Request Header Fields Too Large',
  ],
])("rejects a request %s with Go's response, with TLS and without", async (_, text, status, body) => {
  for (const over of [0, 1]) {
    const response = await answerTo(text, over);
    expect(response.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
    expect(response.toLowerCase()).toContain('content-type: text/plain; charset=utf-8');
    expect(response.slice(response.indexOf('\r\n\r\n') + 4)).toBe(body);
  }
});

test.each([
  ['a token of 20,000 letters', request('GET /a HTTP/1.1', host, `Authorization: ${'b'.repeat(20_000)}`), '/a 20000'],
  ['the form that proxies send', request('GET https://evil.test/a?b HTTP/1.1', host), '/a?b 0'],
  ['the same without a path', request('GET http://evil.test?b HTTP/1.1', host), '/?b 0'],
  ['the question what the whole server can', request('OPTIONS * HTTP/1.1', host), ''],
  ['an old client without a host', request('GET /a HTTP/1.0'), '/a 0'],
])('accepts %s', async (_, text, body) => {
  const response = await answerTo(text, 0);
  expect(response).toContain(' 200 OK\r\n');
  expect(response.slice(response.indexOf('\r\n\r\n') + 4)).toBe(body);
});
