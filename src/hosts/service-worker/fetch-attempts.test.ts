import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { createManualClock, createSeededRandom } from '../../env/index.ts';
import { type ApiHandler, type ApiRequest, attemptIdHeader } from '../../meta/index.ts';
import { createAnsweredAttempts } from './answered-attempts.ts';
import { FetchAttempts } from './fetch-attempts.ts';

const databaseName = 'attempts';

/** A worker that can be restarted, over a store that records the attempt id of each commit. */
function createLab() {
  const indexedDB = new IDBFactory();
  const clock = createManualClock();
  const random = createSeededRandom(1);
  const commits = new Set<string>();
  let worker = new FetchAttempts(createAnsweredAttempts(indexedDB, databaseName), { clock, random });
  const commit: ApiHandler = async ({ attempt, body }) => {
    const ids = attempt ? [attempt.id, ...attempt.earlierIds] : [];
    // As in the server, the key includes method, target and body.
    const keys = ids.map((id) => `${id} ${new TextDecoder().decode(body)}`);
    if (keys.some((key) => commits.has(key))) return { status: 201, headers: [], body: 'repeated' };
    for (const key of keys.slice(0, 1)) commits.add(key);
    return { status: 201, headers: [], body: 'new' };
  };
  const request = (body: string, changes: Partial<ApiRequest> = {}): ApiRequest => ({
    method: 'POST',
    target: '/x',
    headers: new Headers(),
    body: new TextEncoder().encode(body),
    signal: new AbortController().signal,
    ...changes,
  });
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const send = async (body: string, { clientId = 'page', ...changes } = {}): Promise<unknown> => {
    const answer = await worker.wrapHandler(clientId, commit)(request(body, changes));
    // The record of an answer is stored shortly after it.
    await turns();
    return answer.body;
  };
  return {
    clock,
    indexedDB,
    send,
    /** Committed, but stopped before the page got the response. */
    sendUnanswered: async (body: string) => {
      const committing: ApiHandler = async (sent) => {
        await commit(sent);
        return new Promise(() => undefined);
      };
      void worker.wrapHandler('page', committing)(request(body));
      await turns();
    },
    restart: () => {
      worker = new FetchAttempts(createAnsweredAttempts(indexedDB, databaseName), { clock, random });
    },
  };
}

test('matches a repeated event that was committed and not answered, once', async () => {
  const { send, sendUnanswered, restart } = createLab();
  await sendUnanswered('a');
  restart();
  expect(await send('a')).toBe('repeated');
  expect(await send('a')).toBe('new');
});

test('executes a repeated event that was not committed', async () => {
  const { send, sendUnanswered, restart } = createLab();
  await sendUnanswered('a');
  restart();
  expect(await send('b')).toBe('new');
});

test('treats intentional repetitions as new: in the same instance, and after the response in the next', async () => {
  const { send, restart } = createLab();
  expect(await send('a')).toBe('new');
  expect(await send('a')).toBe('new');
  restart();
  expect(await send('a')).toBe('new');
  restart();
  expect(await send('a')).toBe('new');
});

test('matches the unanswered one of equal writes', async () => {
  const { send, sendUnanswered, restart } = createLab();
  for (let time = 0; time < 6; time++) await send('a');
  await sendUnanswered('a');
  restart();
  expect(await send('a')).toBe('repeated');
});

test.each<[string, object]>([
  ['from another page', { clientId: 'other' }],
  ['with another header', { headers: new Headers({ 'content-type': 'text/plain' }) }],
  ['by another method', { method: 'PUT' }],
  ['to another target', { target: '/y' }],
  ['from no page', { clientId: '' }],
  ['as an attempt of a client of ours', { headers: new Headers({ [attemptIdHeader]: 'mine' }) }],
])('does not match a write %s', async (_, changes) => {
  const { send, sendUnanswered, restart } = createLab();
  await sendUnanswered('a');
  restart();
  expect(await send('a', changes)).toBe('new');
});

test('does not match a write long after the start of the worker, or long after the commit', async () => {
  const late = createLab();
  await late.sendUnanswered('a');
  late.restart();
  await late.clock.advance(11_000);
  expect(await late.send('a')).toBe('new');

  const old = createLab();
  await old.sendUnanswered('a');
  await old.clock.advance(40_000);
  old.restart();
  expect(await old.send('a')).toBe('new');
});

test('does not match a commit of two instances ago', async () => {
  const { send, sendUnanswered, restart } = createLab();
  await sendUnanswered('a');
  restart();
  await send('b');
  restart();
  expect(await send('a')).toBe('new');
});

test('serves all writes without storage', async () => {
  const { clock } = createLab();
  const failing = {
    open: () => {
      throw new Error('refused');
    },
  } as unknown as IDBFactory;
  const attempts = new FetchAttempts(createAnsweredAttempts(failing, databaseName), { clock, random: createSeededRandom(1) });
  const handle = attempts.wrapHandler('page', async () => ({ status: 201, headers: [], body: 'new' }));
  const request = { method: 'POST', target: '/x', headers: new Headers(), body: undefined, signal: new AbortController().signal };
  expect((await handle(request)).body).toBe('new');
});

test('removes old records of answers', async () => {
  const { clock, indexedDB, send } = createLab();
  for (let time = 0; time < 5; time++) {
    await send(String(time));
    await clock.advance(61_000);
  }
  const keys = await new Promise((resolve) => {
    const opening = indexedDB.open(databaseName);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('attempts').objectStore('attempts').getAllKeys();
      reading.onsuccess = () => resolve(reading.result);
    };
  });
  expect(keys).toHaveLength(2);
});
