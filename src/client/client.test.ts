import { expect, test } from 'vitest';
import { createManualClock, createMessagePair, createSeededRandom } from '../env/index.ts';
import type { ApiHandler, ApiResponse, WebSocketMessage } from '../meta/index.ts';
import { answer, createScriptedApi, request, stream } from './client.fake.ts';
import { createHttpHandler } from './transport/http-handler.ts';
import { createPortHandler, type PortHandler } from './transport/port-handler.ts';
import { readText } from './transport/read-body.ts';
import { isStreaming } from './transport/request-target.ts';
import { servePort } from './transport/serve-port.ts';
import { SwitchableHandler } from './transport/switchable-handler.ts';
import { TransportError } from './transport/transport-error.ts';
import { withRetries } from './transport/with-retries.ts';

const down = new TransportError('network', 'down');
const env = { clock: createManualClock(0), random: createSeededRandom(1) };

async function settleWithClock<Result>(promise: Promise<Result>): Promise<Result> {
  let over = false;
  void promise.then(
    () => (over = true),
    () => (over = true),
  );
  for (let turn = 0; turn < 100 && !over; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await env.clock.advance(5_000);
  }
  return promise;
}

test('retries a request under one attempt id until there is a response', async () => {
  const { handle, requests } = createScriptedApi([down, down, answer(201, 'made')]);
  const made = await settleWithClock(withRetries(handle, { env, retry: 'all' })(request('POST', '/api/v1/pods')));
  expect(made.status).toBe(201);
  const ids = requests.map(({ headers }) => headers.get('x-tabplane-attempt-id'));
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
});

test("uses the caller's attempt id", async () => {
  const { handle, requests } = createScriptedApi([answer(200, '')]);
  await withRetries(handle, { env, retry: 'all' })(request('PUT', '/x', { headers: new Headers({ 'x-tabplane-attempt-id': 'mine' }) }));
  expect(requests[0]?.headers.get('x-tabplane-attempt-id')).toBe('mine');
});

test('retries only reads on other servers', async () => {
  const write = createScriptedApi([down, answer(200, '')]);
  await expect(withRetries(write.handle, { env, retry: 'reads' })(request('POST', '/x'))).rejects.toBe(down);
  const read = createScriptedApi([down, answer(200, '')]);
  expect((await settleWithClock(withRetries(read.handle, { env, retry: 'reads' })(request('GET', '/x')))).status).toBe(200);
});

test('does not retry errors other than transport errors', async () => {
  const { handle, requests } = createScriptedApi([new Error('a bug')]);
  await expect(withRetries(handle, { env, retry: 'all' })(request('GET', '/x'))).rejects.toThrow('a bug');
  expect(requests).toHaveLength(1);
});

const http = (response: Response): ApiHandler =>
  createHttpHandler({ baseUrl: 'http://host/cluster/', marker: 'required', fetch: () => Promise.resolve(response) });

test('rejects a response without the marker header', async () => {
  await expect(http(new Response('<!doctype html>'))(request('GET', '/api'))).rejects.toMatchObject({ code: 'not-cluster' });
  await expect(http(new Response('', { status: 503, headers: { 'x-tabplane': 'paused' } }))(request('GET', '/api'))).rejects.toMatchObject({
    code: 'paused',
  });
});

test('splits joined Warning headers', async () => {
  const headers = new Headers({ 'x-tabplane': '1' });
  headers.append('warning', '299 - "first, with a comma"');
  headers.append('warning', '299 - "second"');
  const { headers: given } = await http(new Response('', { headers }))(request('GET', '/api'));
  expect(given.filter(([name]) => name === 'warning').map(([, value]) => value)).toEqual(['299 - "first, with a comma"', '299 - "second"']);
});

test('reports a network error when a finite response breaks off', async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new TypeError('network error'));
    },
  });
  await expect(http(new Response(body, { headers: { 'x-tabplane': '1' } }))(request('GET', '/api'))).rejects.toMatchObject({
    code: 'network',
  });
});

test('isStreaming recognizes watches and followed logs', () => {
  expect(
    ['/api/v1/pods?watch=1', '/api/v1/pods?a=b&watch', '/api/v1/pods?watch=true&x=1', '/api/v1/watch/pods'].map(isStreaming),
  ).not.toContain(false);
  expect(['/api/v1/pods/x/log?follow=true', '/apis/apps/v1/watch/deployments'].map(isStreaming)).not.toContain(false);
  expect(
    ['/api/v1/pods', '/api/v1/pods?watch=false', '/api/v1/pods?watch=0', '/api/v1/namespaces/watch/pods'].map(isStreaming),
  ).not.toContain(true);
});

test('a port transfers text, bytes, streams and failures', async () => {
  const { page, calls } = connectPorts(async ({ target, body }) => {
    if (target === '/text') return answer(200, 'text');
    if (target === '/echo') return answer(200, body);
    if (target === '/stream') return answer(200, stream('a', 'b', 'c'));
    throw new Error('broken');
  });
  expect((await page(request('GET', '/text'))).body).toBe('text');
  expect((await page(request('POST', '/echo', { body: new Uint8Array([1, 2]) }))).body).toEqual(new Uint8Array([1, 2]));
  expect(await readText((await page(request('GET', '/stream'))).body)).toBe('abc');
  await expect(page(request('GET', '/other'))).rejects.toThrow('broken');
  expect(calls.openRequests()).toBe(0);
});

test('an abort on the page ends the stream in the server', async () => {
  let ended = (): void => undefined;
  const endedThere = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const { page } = connectPorts(async ({ signal }) => {
    signal.addEventListener('abort', () => ended());
    return answer(200, stream('first'));
  });
  const abort = new AbortController();
  const endless = connectPorts(async ({ signal }) => answer(200, until(signal, ended)));
  const { body } = await endless.page(request('GET', '/x?watch=1', { signal: abort.signal }));
  abort.abort(new Error('enough'));
  await expect(readText(body)).rejects.toThrow('enough');
  await endedThere;
  expect(await readText((await page(request('GET', '/y'))).body)).toBe('first');
});

test('the server ends a stream with more than four megabytes unread', async () => {
  let sent = 0;
  const { page } = connectPorts(async () =>
    answer(
      200,
      (async function* () {
        for (; sent < 1_000; sent++) yield 'x'.repeat(100_000);
      })(),
    ),
  );
  const { body } = await page(request('GET', '/x?watch=1'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sent).toBeLessThan(60);
  expect((await readText(body)).length).toBeGreaterThan(4_000_000);
});

test('a port transfers the messages of a switched connection in both directions', async () => {
  const { page, calls } = connectPorts(async ({ acceptsUpgrade }) => ({
    ...answer(acceptsUpgrade ? 101 : 400, undefined),
    upgrade: {
      kind: 'websocket',
      protocol: 'echo',
      async serve({ messages, send, close }) {
        for await (const message of messages) {
          if (message === 'end') break;
          await send(message);
        }
        await close();
      },
      cancel: () => {},
    },
  }));
  const { status, upgrade } = await page(request('GET', '/exec', { acceptsUpgrade: true }));
  expect(status).toBe(101);
  if (upgrade?.kind !== 'websocket') throw new Error('the port has not switched');
  expect(upgrade.protocol).toBe('echo');
  const [server, client] = createMessagePair<WebSocketMessage>();
  const served = upgrade.serve(server);
  for (const message of ['a', new Uint8Array([1, 2]), 'end']) await client.send(message);
  expect(await collect(client.messages)).toEqual(['a', new Uint8Array([1, 2])]);
  await served;
  expect(calls.openRequests()).toBe(0);
});

test('the server of a switched connection notices that the client has closed it', async () => {
  let noticed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    noticed = resolve;
  });
  const { page, calls } = connectPorts(async () => ({
    ...answer(101, undefined),
    upgrade: {
      kind: 'websocket',
      protocol: undefined,
      async serve({ messages, signal }) {
        for await (const _ of messages);
        if (signal.aborted) noticed();
      },
      cancel: () => {},
    },
  }));
  const { upgrade } = await page(request('GET', '/exec', { acceptsUpgrade: true }));
  if (upgrade?.kind !== 'websocket') throw new Error('the port has not switched');
  const [server, client] = createMessagePair<WebSocketMessage>();
  const served = upgrade.serve(server);
  await client.close();
  await Promise.all([closed, served]);
  expect(calls.openRequests()).toBe(0);
});

test('a closed port fails pending and later requests', async () => {
  const { page, calls } = connectPorts(() => new Promise<ApiResponse>(() => undefined));
  const waiting = page(request('GET', '/x'));
  calls.markClosed();
  await expect(waiting).rejects.toMatchObject({ code: 'network' });
  await expect(page(request('GET', '/x'))).rejects.toMatchObject({ code: 'network' });
});

test('requests wait while paused, and pausing ends open streams', async () => {
  const handler = new SwitchableHandler();
  const waiting = handler.handle(request('GET', '/x'));
  handler.setTarget(() =>
    Promise.resolve(
      answer(
        200,
        until(new AbortController().signal, () => undefined),
      ),
    ),
  );
  const { body } = await waiting;
  const read = readText(body);
  handler.pause();
  expect(await read).toBe('');
  const next = handler.handle(request('GET', '/x'));
  handler.setTarget(() => Promise.resolve(answer(204, undefined)));
  expect((await next).status).toBe(204);
});

async function* until(signal: AbortSignal, ended: () => void): AsyncGenerator<string> {
  try {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  } finally {
    ended();
  }
}

function connectPorts(handle: ApiHandler): { page: ApiHandler; calls: PortHandler } {
  const { port1, port2 } = new MessageChannel();
  servePort(port2, handle);
  const calls = createPortHandler(port1);
  port1.start();
  port2.start();
  return { page: calls.handle, calls };
}

async function collect<Message>(messages: AsyncIterable<Message>): Promise<Message[]> {
  const collected: Message[] = [];
  for await (const message of messages) collected.push(message);
  return collected;
}
