import { expect, test } from 'vitest';
import { createManualClock, createSeededRandom } from '../../env/index.ts';
import { type ApiHandler, type ApiRequest, attemptIdHeader } from '../../meta/index.ts';
import { type AnsweredAttempts, createAnsweredAttempts } from './answered-attempts.ts';
import { FetchAttempts } from './fetch-attempts.ts';

const prefix = 'attempts:';

/** The used part of the Cache API: names in order of creation, and the URLs of their entries. */
class FakeCaches {
  readonly entries = new Map<string, Set<string>>();

  async keys(): Promise<string[]> {
    return [...this.entries.keys()];
  }

  async open(name: string): Promise<Pick<Cache, 'put' | 'delete' | 'keys'>> {
    const urls = this.entries.get(name) ?? new Set<string>();
    this.entries.set(name, urls);
    return {
      put: async (url) => void urls.add(String(url)),
      delete: async (url) => urls.delete(String(url)),
      keys: async () => [...urls].map((url) => new Request(url)),
    };
  }

  async delete(name: string): Promise<boolean> {
    return this.entries.delete(name);
  }
}

const createAttempts = (caches: FakeCaches): AnsweredAttempts => createAnsweredAttempts(caches as unknown as CacheStorage, prefix);

/** A worker that can be restarted, over a store that records the attempt id of each commit. */
function createLab() {
  const caches = new FakeCaches();
  const clock = createManualClock();
  const random = createSeededRandom(1);
  const commits = new Set<string>();
  let worker = new FetchAttempts(createAttempts(caches), { clock, random });
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
    caches,
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
      worker = new FetchAttempts(createAttempts(caches), { clock, random });
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
  const failing = new FakeCaches();
  failing.open = () => Promise.reject(new Error('refused'));
  const attempts = new FetchAttempts(createAttempts(failing), { clock, random: createSeededRandom(1) });
  const handle = attempts.wrapHandler('page', async () => ({ status: 201, headers: [], body: 'new' }));
  const request = { method: 'POST', target: '/x', headers: new Headers(), body: undefined, signal: new AbortController().signal };
  expect((await handle(request)).body).toBe('new');
});

test('removes old records of answers', async () => {
  const { clock, caches, send } = createLab();
  for (let time = 0; time < 5; time++) {
    await send(String(time));
    await clock.advance(61_000);
  }
  expect([...caches.entries.values()].map(({ size }) => size)).toEqual([1]);
});

test('matches nothing after the record of an answer could not be stored', async () => {
  const { caches, send, sendUnanswered, restart } = createLab();
  const open = caches.open.bind(caches);
  caches.open = async (name) => ({ ...(await open(name)), put: () => Promise.reject(new Error('QuotaExceededError')) });
  await send('a');
  await sendUnanswered('b');
  expect(await caches.keys()).toEqual([]);
  restart();
  expect(await send('b')).toBe('new');
});

test('reads the record of the last instance only, and deletes all', async () => {
  const { caches, send, sendUnanswered, restart } = createLab();
  const remove = caches.delete.bind(caches);
  caches.delete = () => Promise.resolve(false);
  await sendUnanswered('a');
  restart();
  await sendUnanswered('b');
  caches.delete = remove;
  restart();
  expect(await send('b')).toBe('repeated');
  expect(await caches.keys()).toHaveLength(1);
});
