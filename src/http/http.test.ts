import { expect, test } from 'vitest';
import { type ByteStream, createStreamPair } from '../env/index.ts';
import { type HttpHandler, type HttpResponse, headerOf, sendHttp, serveHttp } from './index.ts';

/** A connection that is served by a handler. */
function connectTo(handle: HttpHandler): ByteStream {
  const [client, server] = createStreamPair();
  void serveHttp(server, handle);
  return client;
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const bytes of source) text += new TextDecoder().decode(bytes);
  return text;
}

const echo: HttpHandler = async ({ method, target, headers, body }) => ({
  status: 200,
  headers: [['X-Host', headerOf(headers, 'host')]],
  body: `${method} ${target} ${await textOf(body)}`,
});

const send = (handle: HttpHandler, method: string, body?: string): Promise<HttpResponse> =>
  sendHttp(connectTo(handle), {
    method,
    target: '/a?b=c',
    headers: [['Host', 'web']],
    body: body === undefined ? undefined : new TextEncoder().encode(body),
  });

/** Sends raw text, ends, and returns the raw response. */
async function exchange(handle: HttpHandler, text: string): Promise<string> {
  const client = connectTo(handle);
  await client.sink.write(new TextEncoder().encode(text));
  await client.sink.close();
  return textOf(client.source);
}

test('a request with a body gets its response', async () => {
  const { status, headers, body } = await send(echo, 'POST', 'data');
  expect(status).toBe(200);
  expect(headerOf(headers, 'x-host')).toBe('web');
  expect(await textOf(body)).toBe('POST /a?b=c data');
});

test('a streamed response arrives in chunks', async () => {
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('one ');
    yield new TextEncoder().encode('two');
  }
  const response = await send(async () => ({ status: 200, headers: [], body: parts() }), 'GET');
  expect(headerOf(response.headers, 'transfer-encoding')).toBe('chunked');
  expect(await textOf(response.body)).toBe('one two');
});

test('a response to HEAD has a length and no body', async () => {
  const { headers, body } = await send(async () => ({ status: 200, headers: [], body: 'text' }), 'HEAD');
  expect(headerOf(headers, 'content-length')).toBe('4');
  expect(await textOf(body)).toBe('');
});

test('requests of one connection are served in order, with chunked bodies and unread ones', async () => {
  const seen: string[] = [];
  const text = await exchange(async ({ target, body }) => {
    seen.push(target === '/first' ? target : `${target} ${await textOf(body)}`);
    return { status: 204, headers: [], body: undefined };
  }, 'POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcPOST /second HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n0\r\n\r\n');
  expect(seen).toEqual(['/first', '/second de']);
  expect(text).toBe('HTTP/1.1 204 No Content\r\n\r\n'.repeat(2));
});

test('a malformed request gets 400 and ends the connection', async () => {
  expect(await exchange(echo, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(await exchange(echo, 'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
});

test('a connection can switch to another protocol', async () => {
  const { status, upgraded } = await send(
    async () => ({
      status: 101,
      headers: [],
      body: undefined,
      async serve({ source, sink }) {
        for await (const bytes of source) await sink.write(bytes);
      },
    }),
    'GET',
  );
  expect(status).toBe(101);
  if (!upgraded) throw new Error('the connection did not switch');
  await upgraded.sink.write(new TextEncoder().encode('raw'));
  await upgraded.sink.close();
  expect(await textOf(upgraded.source)).toBe('raw');
});

test('a server that closes without a response is an error', async () => {
  const [client, server] = createStreamPair();
  await server.sink.close();
  await expect(sendHttp(client, { method: 'GET', target: '/', headers: [], body: undefined })).rejects.toThrow('EOF');
});
