import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import type { ApiResponse } from '../../meta/index.ts';
import { answer, createScriptedApi, stream } from '../client.fake.ts';
import { TransportError } from '../transport/transport-error.ts';
import { listAndWatch } from './list-and-watch.ts';

const object = (name: string, version: number): object => ({ metadata: { name, resourceVersion: String(version) } });
const list = (version: number, ...items: object[]): ApiResponse =>
  answer(200, JSON.stringify({ metadata: { resourceVersion: String(version) }, items }));
const event = (type: string, name: string, version: number): string => `${JSON.stringify({ type, object: object(name, version) })}\n`;
const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };

/** Runs listAndWatch against a script. Returns the notifications as lines and the request targets. */
async function runScript(
  script: readonly (ApiResponse | Error)[],
  untilRequests: number,
): Promise<{ readonly lines: string[]; readonly targets: string[] }> {
  const { handle, requests } = createScriptedApi(script);
  const clock = createManualClock(0);
  const stop = new AbortController();
  const lines: string[] = [];
  const name = (value: unknown): string => (value as { metadata: { name: string } }).metadata.name;
  const running = listAndWatch(
    { api: handle, clock, path: '/api/v1/pods' },
    {
      onListed: (items, version) => lines.push(`list ${items.map(name).join(',')} at ${version}`),
      onEvent: ({ type, object }) => lines.push(`${type} ${name(object)}`),
    },
    stop.signal,
  );
  for (let turn = 0; turn < 500 && requests.length < untilRequests; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
  }
  stop.abort();
  await running;
  return { lines, targets: requests.map(({ target }) => target) };
}

test('lists, then delivers each change once, from the version of the list on', async () => {
  const { lines, targets } = await runScript(
    [list(5, object('a', 3)), answer(200, stream(event('ADDED', 'b', 6), event('DELETED', 'a', 7)))],
    3,
  );
  expect(lines).toEqual(['list a at 5', 'ADDED b', 'DELETED a']);
  expect(targets[0]).toBe('/api/v1/pods');
  expect(targets[1]).toContain('resourceVersion=5');
  expect(targets[2]).toContain('resourceVersion=7');
});

test('resumes an interrupted watch at its last version without repeating events', async () => {
  const { lines } = await runScript(
    [
      list(5),
      answer(200, stream(event('ADDED', 'b', 6), new TransportError('network', 'killed'))),
      new TransportError('network', 'still down'),
      answer(200, stream(event('ADDED', 'b', 6), event('MODIFIED', 'b', 10))),
    ],
    5,
  );
  expect(lines).toEqual(['list  at 5', 'ADDED b', 'MODIFIED b']);
});

test('joins events split between chunks and drops an incomplete last one', async () => {
  const whole = event('ADDED', 'b', 6);
  const { lines, targets } = await runScript(
    [list(5), answer(200, stream(whole.slice(0, 20), whole.slice(20), event('ADDED', 'c', 7).slice(0, 30)))],
    3,
  );
  expect(lines).toEqual(['list  at 5', 'ADDED b']);
  expect(targets[2]).toContain('resourceVersion=6');
});

test('a bookmark advances the version without an event', async () => {
  const { lines, targets } = await runScript([list(5), answer(200, stream(event('BOOKMARK', '', 90)))], 3);
  expect(lines).toEqual(['list  at 5']);
  expect(targets[2]).toContain('resourceVersion=90');
});

test('lists again after a 410 response or ERROR event', async () => {
  const byAnswer = await runScript([list(5), answer(410, JSON.stringify(expired)), list(50, object('z', 40))], 4);
  expect(byAnswer.lines).toEqual(['list  at 5', 'list z at 50']);
  const byEvent = await runScript(
    [list(5), answer(200, stream(`${JSON.stringify({ type: 'ERROR', object: expired })}\n`)), list(50, object('z', 40))],
    4,
  );
  expect(byEvent.lines).toEqual(['list  at 5', 'list z at 50']);
});

test('compares versions as numbers of any length', async () => {
  const big = 9_007_199_254_740_991;
  const { lines } = await runScript(
    [list(9), answer(200, stream(event('ADDED', 'b', 10), event('ADDED', 'old', 9), event('ADDED', 'c', big)))],
    3,
  );
  expect(lines).toEqual(['list  at 9', 'ADDED b', 'ADDED c']);
});

test('delivers the rows of a Table and sends only the given Accept header', async () => {
  const table = { kind: 'Table', metadata: { resourceVersion: '5' }, columnDefinitions: [{ name: 'Name' }], rows: [{ cells: ['a'] }] };
  const { handle, requests } = createScriptedApi([answer(200, JSON.stringify(table))]);
  const stop = new AbortController();
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const listed = await new Promise<unknown>((resolve) => {
    const clock = createManualClock(0);
    const sink = { onListed: (...given: unknown[]) => resolve(given), onEvent: () => undefined };
    void listAndWatch({ api: handle, clock, path: '/api/v1/pods', headers: [['accept', accept]] }, sink, stop.signal);
  });
  stop.abort();
  expect(listed).toEqual([[{ cells: ['a'] }], '5', table]);
  expect(requests[0]?.headers.get('accept')).toBe(accept);
});

test('delivers each page of a list as it arrives, then all objects', async () => {
  const page = (next: string | undefined, ...items: object[]): ApiResponse =>
    answer(200, JSON.stringify({ metadata: { resourceVersion: '5', continue: next }, items }));
  const { handle, requests } = createScriptedApi([page('x', object('a', 1), object('b', 2)), page(undefined, object('c', 3))]);
  const stop = new AbortController();
  const delivered: unknown[] = [];
  await new Promise<void>((resolve) => {
    const handlers = {
      onPage: (items: readonly object[]) => delivered.push(['page', items.length]),
      onListed: (items: readonly object[], version: string) => {
        delivered.push(['list', items.length, version]);
        resolve();
      },
      onEvent: () => undefined,
    };
    void listAndWatch({ api: handle, clock: createManualClock(0), path: '/api/v1/pods', pageSize: 2 }, handlers, stop.signal);
  });
  stop.abort();
  expect(delivered).toEqual([
    ['page', 2],
    ['list', 3, '5'],
  ]);
  expect(requests.slice(0, 2).map(({ target }) => target)).toEqual(['/api/v1/pods?limit=2', '/api/v1/pods?limit=2&continue=x']);
});

test('clients that watch the same objects share those of events', async () => {
  const clock = createManualClock(0);
  const stop = new AbortController();
  const received: object[] = [];
  const events = [event('ADDED', 'b', 6), event('MODIFIED', 'b', 7)];
  const watching = [1, 2].map(() => {
    const { handle } = createScriptedApi([list(5), answer(200, stream(...events))]);
    const handlers = { onListed: () => undefined, onEvent: ({ object: one }: { readonly object: object }) => received.push(one) };
    return listAndWatch({ api: handle, clock, path: '/api/v1/pods' }, handlers, stop.signal);
  });
  await expect.poll(() => received.length).toBe(4);
  stop.abort();
  await Promise.all(watching);
  expect(received[0]).toBe(received[1]);
  expect(received[2]).toBe(received[3]);
  expect(received[0]).not.toEqual(received[2]);
});
