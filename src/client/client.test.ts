import { expect, test } from 'vitest';
import { createManualClock, createSeededRandom } from '../env/index.ts';
import type { ApiHandler, ApiResponse } from '../meta/index.ts';
import { answer, request, scripted, stream } from './client.fake.ts';
import { createHttpHandler } from './http-handler.ts';
import { createPortHandler } from './port-handler.ts';
import { readText } from './read-body.ts';
import { servePort } from './serve-port.ts';
import { SwitchableHandler } from './switchable-handler.ts';
import { isStreaming } from './target.ts';
import { TransportError } from './transport-error.ts';
import { withRetries } from './with-retries.ts';

const down = new TransportError('network', 'down');
const env = { clock: createManualClock(0), random: createSeededRandom(1) };

async function settled<Result>(promise: Promise<Result>): Promise<Result> {
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

test('a request is sent again under one id until it is answered', async () => {
  const { handle, asked } = scripted([down, down, answer(201, 'made')]);
  const made = await settled(withRetries(handle, { env, retry: 'all' })(request('POST', '/api/v1/pods')));
  expect(made.status).toBe(201);
  const ids = asked.map(({ headers }) => headers.get('x-tabplane-attempt-id'));
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
});

test('an id the caller gave is kept', async () => {
  const { handle, asked } = scripted([answer(200, '')]);
  await withRetries(handle, { env, retry: 'all' })(request('PUT', '/x', { headers: new Headers({ 'x-tabplane-attempt-id': 'mine' }) }));
  expect(asked[0]?.headers.get('x-tabplane-attempt-id')).toBe('mine');
});

test('a write to a foreign server is not sent twice, a read is', async () => {
  const write = scripted([down, answer(200, '')]);
  await expect(withRetries(write.handle, { env, retry: 'reads' })(request('POST', '/x'))).rejects.toBe(down);
  const read = scripted([down, answer(200, '')]);
  expect((await settled(withRetries(read.handle, { env, retry: 'reads' })(request('GET', '/x')))).status).toBe(200);
});

test('what is no failure of the transport is thrown at once', async () => {
  const { handle, asked } = scripted([new Error('a bug')]);
  await expect(withRetries(handle, { env, retry: 'all' })(request('GET', '/x'))).rejects.toThrow('a bug');
  expect(asked).toHaveLength(1);
});

const http = (response: Response): ApiHandler =>
  createHttpHandler({ baseUrl: 'http://host/cluster/', marker: 'required', fetch: () => Promise.resolve(response) });

test('an answer without the mark comes from a static server and is refused', async () => {
  await expect(http(new Response('<!doctype html>'))(request('GET', '/api'))).rejects.toMatchObject({ code: 'not-cluster' });
  await expect(http(new Response('', { status: 503, headers: { 'x-tabplane': 'paused' } }))(request('GET', '/api'))).rejects.toMatchObject({
    code: 'paused',
  });
});

test('repeated warnings come out one by one', async () => {
  const headers = new Headers({ 'x-tabplane': '1' });
  headers.append('warning', '299 - "first, with a comma"');
  headers.append('warning', '299 - "second"');
  const { headers: given } = await http(new Response('', { headers }))(request('GET', '/api'));
  expect(given.filter(([name]) => name === 'warning').map(([, value]) => value)).toEqual(['299 - "first, with a comma"', '299 - "second"']);
});

test('a finite answer whose connection breaks in the middle is a network error', async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new TypeError('network error'));
    },
  });
  await expect(http(new Response(body, { headers: { 'x-tabplane': '1' } }))(request('GET', '/api'))).rejects.toMatchObject({
    code: 'network',
  });
});

test('the answers that do not end are known by their target', () => {
  expect(
    ['/api/v1/pods?watch=1', '/api/v1/pods?a=b&watch', '/api/v1/pods?watch=true&x=1', '/api/v1/watch/pods'].map(isStreaming),
  ).not.toContain(false);
  expect(['/api/v1/pods/x/log?follow=true', '/apis/apps/v1/watch/deployments'].map(isStreaming)).not.toContain(false);
  expect(
    ['/api/v1/pods', '/api/v1/pods?watch=false', '/api/v1/pods?watch=0', '/api/v1/namespaces/watch/pods'].map(isStreaming),
  ).not.toContain(true);
});

test('through a port comes what the core answers: text, bytes, streams and failures', async () => {
  const { page, calls } = connected(async ({ target, body }) => {
    if (target === '/text') return answer(200, 'text');
    if (target === '/echo') return answer(200, body);
    if (target === '/stream') return answer(200, stream('a', 'b', 'c'));
    throw new Error('broken');
  });
  expect((await page(request('GET', '/text'))).body).toBe('text');
  expect((await page(request('POST', '/echo', { body: new Uint8Array([1, 2]) }))).body).toEqual(new Uint8Array([1, 2]));
  expect(await readText((await page(request('GET', '/stream'))).body)).toBe('abc');
  await expect(page(request('GET', '/other'))).rejects.toThrow('broken');
  expect(calls.open()).toBe(0);
});

test('an abort on the page ends the stream in the core', async () => {
  let ended = (): void => undefined;
  const endedThere = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const { page } = connected(async ({ signal }) => {
    signal.addEventListener('abort', () => ended());
    return answer(200, stream('first'));
  });
  const abort = new AbortController();
  const endless = connected(async ({ signal }) => answer(200, until(signal, ended)));
  const { body } = await endless.page(request('GET', '/x?watch=1', { signal: abort.signal }));
  abort.abort(new Error('enough'));
  await expect(readText(body)).rejects.toThrow('enough');
  await endedThere;
  expect(await readText((await page(request('GET', '/y'))).body)).toBe('first');
});

test('a stream nobody reads is ended by the core after four megabytes', async () => {
  let sent = 0;
  const { page } = connected(async () =>
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

test('a port whose other end is gone fails all that waits on it', async () => {
  const { page, calls } = connected(() => new Promise<ApiResponse>(() => undefined));
  const waiting = page(request('GET', '/x'));
  calls.lost();
  await expect(waiting).rejects.toMatchObject({ code: 'network' });
  await expect(page(request('GET', '/x'))).rejects.toMatchObject({ code: 'network' });
});

test('requests wait for a way, and holding ends the streams that are out', async () => {
  const way = new SwitchableHandler();
  const waiting = way.handle(request('GET', '/x'));
  way.use(() =>
    Promise.resolve(
      answer(
        200,
        until(new AbortController().signal, () => undefined),
      ),
    ),
  );
  const { body } = await waiting;
  const read = readText(body);
  way.hold();
  expect(await read).toBe('');
  const next = way.handle(request('GET', '/x'));
  way.use(() => Promise.resolve(answer(204, undefined)));
  expect((await next).status).toBe(204);
});

async function* until(signal: AbortSignal, ended: () => void): AsyncGenerator<string> {
  try {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  } finally {
    ended();
  }
}

function connected(handle: ApiHandler): { page: ApiHandler; calls: { open(): number; lost(): void } } {
  const { port1, port2 } = new MessageChannel();
  servePort(port2, handle);
  const calls = createPortHandler(port1);
  port1.start();
  port2.start();
  return { page: calls.handle, calls };
}
