import { expect, test } from 'vitest';
import type { ApiHandler, ApiResponse } from '../../meta/index.ts';
import { apiTargetOf, handleFetch } from './handle-fetch.ts';
import { deduplicateAttempts, InFlightRequests } from './in-flight.ts';
import { OpenStreams } from './open-streams.ts';

const base = 'https://host/docs/cluster/';
const small = { unreadMaxBytes: 1_000, watchMaxBytes: 5_000 };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('extracts the API target of URLs below the base', () => {
  expect(apiTargetOf(base, `${base}api/v1/pods?limit=5#x`)).toBe('/api/v1/pods?limit=5');
  expect(apiTargetOf(base, base)).toBe('/');
  expect(
    ['https://host/docs/cluster', 'https://host/docs/clusters/api', 'https://host/cluster/api', 'https://other/docs/cluster/api'].map(
      (url) => apiTargetOf(base, url),
    ),
  ).toEqual(Array.from({ length: 4 }, () => undefined));
});

async function answered(response: ApiResponse | Error, init: RequestInit = {}, target = '/x'): Promise<Response> {
  const handle: ApiHandler = () => (response instanceof Error ? Promise.reject(response) : Promise.resolve(response));
  return handleFetch(new Request(`${base}x`, init), target, handle, new OpenStreams(small));
}

test('marks a response, retains repeated headers, and omits the body where required', async () => {
  const warnings = [
    ['warning', '299 - "a"'],
    ['warning', '299 - "b"'],
  ] as const;
  const response = await answered({ status: 200, headers: warnings, body: 'text' });
  expect(response.headers.get('x-tabplane')).toBe('1');
  expect(response.headers.get('warning')).toBe('299 - "a", 299 - "b"');
  expect(await response.text()).toBe('text');
  expect((await answered({ status: 204, headers: [], body: 'none' })).body).toBeNull();
  expect((await answered({ status: 200, headers: [], body: 'none' }, { method: 'HEAD' })).body).toBeNull();
});

test('converts errors to responses, since a handler that throws falls back to the network', async () => {
  const thrown = await answered(new Error('a bug'));
  expect(thrown.status).toBe(500);
  expect(await thrown.json()).toMatchObject({ kind: 'Status', reason: 'InternalError', message: 'Internal error occurred: a bug' });
  expect((await answered({ status: 101, headers: [], body: undefined })).status).toBe(500);
});

test('replaces the browser’s user agent by the one in the custom header', async () => {
  const seen: (string | null)[] = [];
  const handle: ApiHandler = ({ headers }) => {
    seen.push(headers.get('user-agent'), headers.get('x-tabplane-user-agent'));
    return Promise.resolve({ status: 200, headers: [], body: undefined });
  };
  const send = (headers: Record<string, string>): Promise<Response> =>
    handleFetch(new Request(base, { headers }), '/', handle, new OpenStreams(small));
  await send({ 'user-agent': 'Mozilla', 'x-tabplane-user-agent': 'kubectl/v1.34' });
  await send({ 'user-agent': 'Mozilla', 'x-tabplane-user-agent': '' });
  await send({ 'user-agent': 'Mozilla' });
  expect(seen).toEqual(['kubectl/v1.34', null, null, null, 'Mozilla', null]);
});

test('deduplicates identical concurrent attempts, and serves different ones separately', async () => {
  let done = 0;
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handle = deduplicateAttempts(async () => {
    done++;
    await gate;
    return { status: 201, headers: [], body: String(done) };
  });
  const send = (method: string, authorization: string, id: string | undefined, body = ''): Promise<ApiResponse> =>
    handle({
      method,
      target: '/x',
      headers: new Headers({ authorization, ...(id === undefined ? {} : { 'x-tabplane-attempt-id': id }) }),
      body: new TextEncoder().encode(body),
      signal: new AbortController().signal,
    });
  const twins = [send('POST', 'a', '1'), send('POST', 'a', '1')];
  const others = [
    send('POST', 'b', '1'),
    send('POST', 'a', undefined),
    send('POST', 'a', undefined),
    send('GET', 'a', '1'),
    send('GET', 'a', '1'),
    send('POST', 'a', '1', 'another body'),
  ];
  release();
  const [first, second] = await Promise.all(twins);
  expect(first).toBe(second);
  await Promise.all(others);
  expect(done).toBe(7);
  await send('POST', 'a', '1');
  expect(done).toBe(8);
});

async function* endless(ended: () => void, size = 100): AsyncGenerator<string> {
  try {
    for (;;) {
      await turn();
      yield 'x'.repeat(size);
    }
  } finally {
    ended();
  }
}

test('ends an unread watch, and its source', async () => {
  const streams = new OpenStreams(small);
  let ended = false;
  let isAborted = false;
  const body = streams.watch(
    endless(() => {
      ended = true;
    }),
    () => {
      isAborted = true;
    },
  );
  expect(streams.size).toBe(1);
  for (let at = 0; at < 50 && streams.size > 0; at++) await turn();
  await turn();
  expect({ open: streams.size, ended, isAborted }).toEqual({ open: 0, ended: true, isAborted: true });
  const text = await new Response(body).text();
  expect(text.length).toBeGreaterThan(1_000);
  expect(text.length).toBeLessThan(1_500);
});

test('ends a watch after its total byte limit, so that no browser buffers without limit', async () => {
  const text = await new Response(
    new OpenStreams(small).watch(
      endless(() => undefined),
      () => undefined,
    ),
  ).text();
  expect(text.length).toBeGreaterThan(5_000);
  expect(text.length).toBeLessThan(5_500);
});

test('cancels the source with the body, and closes all streams cleanly for the reader', async () => {
  const streams = new OpenStreams(small);
  let ended = 0;
  const count = (): void => {
    ended++;
  };
  const cancelled = streams.list(endless(count), () => undefined).getReader();
  await cancelled.read();
  await cancelled.cancel();
  await turn();
  await turn();
  const read = new Response(streams.watch(endless(count, 1), () => undefined)).text();
  await turn();
  streams.endAll();
  expect(await read).toMatch(/^x*$/);
  await turn();
  await turn();
  expect({ ended, open: streams.size }).toEqual({ ended: 2, open: 0 });
});

test('forwards an error of the source to the reader', async () => {
  async function* failing(): AsyncGenerator<string> {
    yield 'a';
    throw new Error('store lost');
  }
  await expect(new Response(new OpenStreams(small).watch(failing(), () => undefined)).text()).rejects.toThrow('store lost');
});

test('tracks requests in flight by id until they are answered, and waits until idle', async () => {
  const underWay = new InFlightRequests();
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handle = underWay.track(async () => {
    await gate;
    throw new Error('failed');
  });
  const headers = new Headers({ 'x-tabplane-attempt-id': '1' });
  const sent = handle({ headers });
  let quiet = false;
  const none = underWay.whenIdle().then(() => {
    quiet = true;
  });
  await turn();
  expect([underWay.has('1'), underWay.has('2'), quiet]).toEqual([true, false, false]);
  release();
  await expect(sent).rejects.toThrow('failed');
  await none;
  await underWay.whenIdle();
  expect(underWay.has('1')).toBe(false);
});
