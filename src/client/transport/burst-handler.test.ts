import { expect, test } from 'vitest';
import type { ApiHandler, ApiRequest, ResponseBody } from '../../meta/index.ts';
import { createBurstHandler } from './burst-handler.ts';

const requestTo = (target: string): ApiRequest => ({
  method: 'GET',
  target,
  headers: new Headers(),
  body: undefined,
  signal: new AbortController().signal,
});

async function* twoEvents(): AsyncGenerator<string> {
  yield 'a';
  yield 'b';
}

/** Records the transport of each request. */
function createRecorder(bodyOf: (target: string) => ResponseBody) {
  const used: string[] = [];
  const transport =
    (name: string): ApiHandler =>
    async ({ target }) => {
      used.push(name);
      return { status: 200, headers: [], body: bodyOf(target) };
    };
  return { used, handle: createBurstHandler(transport('fetch'), transport('messages')) };
}

const watch = '/api/v1/pods?watch=true';

test('opens two streams by fetch and further ones by messages, and by fetch again when one has ended', async () => {
  const { used, handle } = createRecorder(twoEvents);
  const first = await handle(requestTo(watch));
  await handle(requestTo(watch));
  await handle(requestTo(watch));
  const events: (string | Uint8Array)[] = [];
  for await (const event of first.body as AsyncIterable<string>) events.push(event);
  await handle(requestTo(watch));
  expect(events).toEqual(['a', 'b']);
  expect(used).toEqual(['fetch', 'fetch', 'messages', 'fetch']);
});

test('sends the requests of a burst by messages, without counting open streams', async () => {
  const { used, handle } = createRecorder((target) => (target === watch ? twoEvents() : 'text'));
  await handle(requestTo(watch));
  await Promise.all(Array.from({ length: 8 }, () => handle(requestTo('/api/v1/pods'))));
  expect(used.map((name) => name[0]).join('')).toBe('fffffffmm');
});

test('sends requests to proxied servers by messages, since a fetch follows their redirections', async () => {
  const { used, handle } = createRecorder(() => '');
  await handle(requestTo('/api/v1/namespaces/a/services/web:80/proxy/'));
  await handle(requestTo('/api/v1/namespaces/a/services/web?x=/proxy/'));
  expect(used).toEqual(['messages', 'fetch']);
});
