import { expect, onTestFinished, test } from 'vitest';
import { servePort, TransportError, withRetries } from '../../client/index.ts';
import { createManualClock, createSeededRandom, type ManualClock } from '../../env/index.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../../meta/index.ts';
import type { FromWorker, ToWorker } from '../service-worker/messages.ts';
import { watchedFetch } from './watched-fetch.ts';
import { WorkerPort } from './worker-port.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const post = (): ApiRequest => ({
  method: 'POST',
  target: '/x',
  headers: new Headers(),
  body: undefined,
  signal: new AbortController().signal,
});

/** A worker that can be killed without a word: what it held is gone, and its ports stay silent. */
class MortalWorker {
  readonly asked: string[] = [];
  readonly #listeners = new Set<(message: FromWorker) => void>();
  #held = new Set<string>();

  kill(): void {
    this.#held = new Set();
  }

  readonly link = {
    post: (message: ToWorker, transfer: Transferable[] = []): void => {
      const [port] = transfer;
      if (message.kind === 'connect' && port instanceof MessagePort) this.#serve(message.id, port);
      if (message.kind === 'ping') this.tell({ kind: 'pong', kept: 'saved', reason: '', version: '1' });
    },
    has: (id: string): Promise<boolean> => Promise.resolve(this.#held.has(id)),
    onMessage: (listener: (message: FromWorker) => void): (() => void) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
    onControllerChange: (): void => undefined,
  };

  tell(message: FromWorker): void {
    for (const listener of this.#listeners) listener(message);
  }

  #serve(id: string, port: MessagePort): void {
    const life = this.#held;
    life.add(id);
    servePort(port, (given) => {
      if (life !== this.#held) return new Promise(() => undefined);
      this.asked.push(given.headers.get('x-tabplane-attempt-id') ?? '');
      return Promise.resolve({ status: 201, headers: [], body: 'made' });
    });
    port.start();
    onTestFinished(() => port.close());
  }
}

function env(): { clock: ManualClock; random: ReturnType<typeof createSeededRandom> } {
  return { clock: createManualClock(), random: createSeededRandom(1) };
}

async function answered(sent: Promise<ApiResponse>, clock: ManualClock): Promise<ApiResponse> {
  let done = false;
  void sent.then(
    () => (done = true),
    () => (done = true),
  );
  for (let at = 0; at < 100 && !done; at++) {
    await turn();
    await clock.advance(100);
  }
  if (!done) throw new Error('no answer within ten seconds');
  return sent;
}

test('a request whose worker is killed before it said a word is sent to the next life of it', async () => {
  const worker = new MortalWorker();
  const all = env();
  const handle = withRetries(new WorkerPort(worker.link, all).handle, { env: all, retry: 'all' });
  const sent = handle(post());
  worker.kill();
  // The next life answers the ping of the one before: it is no sign that it has the port.
  worker.link.post({ kind: 'ping' });
  expect((await answered(sent, all.clock)).status).toBe(201);
  expect(worker.asked).toHaveLength(1);
});

test('a kill that falls after an answer is found too, by the only request that waits', async () => {
  const worker = new MortalWorker();
  const all = env();
  const handle = withRetries(new WorkerPort(worker.link, all).handle, { env: all, retry: 'all' });
  expect((await answered(handle(post()), all.clock)).status).toBe(201);
  worker.kill();
  expect((await answered(handle(post()), all.clock)).status).toBe(201);
  expect(new Set(worker.asked).size).toBe(2);
});

test('a new life that says a word is asked at once, without waiting for the next look', async () => {
  const worker = new MortalWorker();
  const sent = new WorkerPort(worker.link, env()).handle(post());
  const failed = expect(sent).rejects.toThrow(TransportError);
  // Asked before the kill, answered after it.
  worker.kill();
  await turn();
  worker.link.post({ kind: 'ping' });
  await failed;
});

test('a worker that makes way for a newer one fails what waits at its port', async () => {
  const worker = new MortalWorker();
  const sent = new WorkerPort(worker.link, env()).handle(post());
  worker.tell({ kind: 'paused' });
  await expect(sent).rejects.toThrow(TransportError);
});

const identified = { headers: [['x-tabplane-attempt-id', 'one']] as [string, string][] };

/** A fetch that the browser has forgotten: only its signal ends it. */
const forgotten = (_url: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

test('a fetch that the worker does not know fails, one that it works on is waited for', async () => {
  const { clock } = env();
  const known = new Set(['one']);
  const link = { has: (id: string): Promise<boolean> => Promise.resolve(known.has(id)) };
  let failure = '';
  const sent = watchedFetch({ fetch: forgotten, link, clock })('https://host/x', identified).catch((error: unknown) => {
    failure = String(error);
  });
  await clock.advance(60_000);
  expect(failure).toBe('');
  known.clear();
  await clock.advance(5_000);
  expect(failure).toBe('');
  known.add('one');
  await clock.advance(5_000);
  known.clear();
  await clock.advance(5_000);
  expect(failure).toBe('');
  await clock.advance(5_000);
  await sent;
  expect(failure).toContain('does not know this request');
});

test('a fetch that is answered is not asked about, and the caller’s abort reaches it', async () => {
  const { clock } = env();
  let asked = 0;
  const link = { has: (): Promise<boolean> => Promise.resolve(++asked < 0) };
  const quick = watchedFetch({ fetch: () => Promise.resolve(new Response('ok')), link, clock });
  expect(await (await quick('https://host/x', identified)).text()).toBe('ok');
  await clock.advance(60_000);
  expect(asked).toBe(0);
  const stop = new AbortController();
  const sent = watchedFetch({ fetch: forgotten, link, clock })('https://host/x', { ...identified, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(sent).rejects.toThrow('enough');
});

test('a write is sent again under its id when its fetch was forgotten', async () => {
  const all = env();
  const ids: (string | null)[] = [];
  const link = { has: (): Promise<boolean> => Promise.resolve(false) };
  const fetch = watchedFetch({
    link,
    clock: all.clock,
    fetch: (url, init) => {
      ids.push(new Headers(init.headers).get('x-tabplane-attempt-id'));
      return ids.length === 1 ? forgotten(url, init) : Promise.resolve(new Response('made', { status: 201 }));
    },
  });
  const byFetch: ApiHandler = async ({ headers }) => {
    const response = await fetch('https://host/x', { headers: [...headers] }).catch((error: unknown) => {
      throw new TransportError('network', String(error));
    });
    return { status: response.status, headers: [], body: 'made' };
  };
  const sent = withRetries(byFetch, { env: all, retry: 'all' })(post());
  await all.clock.advance(12_000);
  expect((await sent).status).toBe(201);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});
