import { expect, test } from 'vitest';
import { createManualClock } from '../env/index.ts';
import type { ApiResponse } from '../meta/index.ts';
import { answer, scripted, stream } from './client.fake.ts';
import { listAndWatch } from './list-and-watch.ts';
import { TransportError } from './transport-error.ts';

const object = (name: string, version: number): object => ({ metadata: { name, resourceVersion: String(version) } });
const list = (version: number, ...items: object[]): ApiResponse =>
  answer(200, JSON.stringify({ metadata: { resourceVersion: String(version) }, items }));
const event = (type: string, name: string, version: number): string => `${JSON.stringify({ type, object: object(name, version) })}\n`;
const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };

/** What the sink is told while the cluster answers from `script`. */
async function told(
  script: readonly (ApiResponse | Error)[],
  untilAsked: number,
): Promise<{ readonly lines: string[]; readonly targets: string[] }> {
  const { handle, asked } = scripted(script);
  const clock = createManualClock(0);
  const stop = new AbortController();
  const lines: string[] = [];
  const name = (value: unknown): string => (value as { metadata: { name: string } }).metadata.name;
  const running = listAndWatch(
    { api: handle, clock, path: '/api/v1/pods' },
    {
      listed: (items, version) => lines.push(`list ${items.map(name).join(',')} at ${version}`),
      changed: ({ type, object }) => lines.push(`${type} ${name(object)}`),
    },
    stop.signal,
  );
  for (let turn = 0; turn < 500 && asked.length < untilAsked; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
  }
  stop.abort();
  await running;
  return { lines, targets: asked.map(({ target }) => target) };
}

test('lists, then tells each change once, from the version of the list on', async () => {
  const { lines, targets } = await told(
    [list(5, object('a', 3)), answer(200, stream(event('ADDED', 'b', 6), event('DELETED', 'a', 7)))],
    3,
  );
  expect(lines).toEqual(['list a at 5', 'ADDED b', 'DELETED a']);
  expect(targets[0]).toBe('/api/v1/pods');
  expect(targets[1]).toContain('resourceVersion=5');
  expect(targets[2]).toContain('resourceVersion=7');
});

test('a watch that breaks goes on where it was, like one that ends, and what is known is not told again', async () => {
  const { lines } = await told(
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

test('an event cut in two by chunks is one event, and half an event at the end is none', async () => {
  const whole = event('ADDED', 'b', 6);
  const { lines, targets } = await told(
    [list(5), answer(200, stream(whole.slice(0, 20), whole.slice(20), event('ADDED', 'c', 7).slice(0, 30)))],
    3,
  );
  expect(lines).toEqual(['list  at 5', 'ADDED b']);
  expect(targets[2]).toContain('resourceVersion=6');
});

test('a bookmark moves the version and is not told', async () => {
  const { lines, targets } = await told([list(5), answer(200, stream(event('BOOKMARK', '', 90)))], 3);
  expect(lines).toEqual(['list  at 5']);
  expect(targets[2]).toContain('resourceVersion=90');
});

test('a version no longer kept means a new list, said by an answer or by an event', async () => {
  const byAnswer = await told([list(5), answer(410, JSON.stringify(expired)), list(50, object('z', 40))], 4);
  expect(byAnswer.lines).toEqual(['list  at 5', 'list z at 50']);
  const byEvent = await told(
    [list(5), answer(200, stream(`${JSON.stringify({ type: 'ERROR', object: expired })}\n`)), list(50, object('z', 40))],
    4,
  );
  expect(byEvent.lines).toEqual(['list  at 5', 'list z at 50']);
});

test('versions are compared as numbers of any length', async () => {
  const big = 9_007_199_254_740_991;
  const { lines } = await told(
    [list(9), answer(200, stream(event('ADDED', 'b', 10), event('ADDED', 'old', 9), event('ADDED', 'c', big)))],
    3,
  );
  expect(lines).toEqual(['list  at 9', 'ADDED b', 'ADDED c']);
});

test('a list that is a Table is told by its rows, and only the form that was asked for is asked for', async () => {
  const table = { kind: 'Table', metadata: { resourceVersion: '5' }, columnDefinitions: [{ name: 'Name' }], rows: [{ cells: ['a'] }] };
  const { handle, asked } = scripted([answer(200, JSON.stringify(table))]);
  const stop = new AbortController();
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const told = await new Promise<unknown>((resolve) => {
    const clock = createManualClock(0);
    const sink = { listed: (...given: unknown[]) => resolve(given), changed: () => undefined };
    void listAndWatch({ api: handle, clock, path: '/api/v1/pods', headers: [['accept', accept]] }, sink, stop.signal);
  });
  stop.abort();
  expect(told).toEqual([[{ cells: ['a'] }], '5', table]);
  expect(asked[0]?.headers.get('accept')).toBe(accept);
});
