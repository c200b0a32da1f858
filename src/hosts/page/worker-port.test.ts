import { expect, onTestFinished, test } from 'vitest';
import { servePort, TransportError, withRetries } from '../../client/index.ts';
import { createManualClock, createSeededRandom, type ManualClock } from '../../env/index.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../../meta/index.ts';
import type { FromWorker, ToWorker } from '../service-worker/messages.ts';
import { createWatchedFetch } from './watched-fetch.ts';
import { WorkerPort } from './worker-port.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const post = (): ApiRequest => ({
  method: 'POST',
  target: '/x',
  headers: new Headers(),
  body: undefined,
  signal: new AbortController().signal,
});

/** A worker that can be killed without notice: it loses its state, and its ports send nothing any more. */
class MortalWorker {
  readonly requests: string[] = [];
  readonly #listeners = new Set<(message: FromWorker) => void>();
  #held = new Set<string>();

  kill(): void {
    this.#held = new Set();
  }

  readonly link = {
    post: (message: ToWorker, transfer: Transferable[] = []): void => {
      const [port] = transfer;
      if (message.kind === 'connect' && port instanceof MessagePort) this.#serve(message.id, port);
      if (message.kind === 'ping') this.emit({ kind: 'pong', persistence: 'saved', reason: '', version: '1' });
    },
    has: (id: string): Promise<boolean> => Promise.resolve(this.#held.has(id)),
    onMessage: (listener: (message: FromWorker) => void): (() => void) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
    onControllerChange: (): void => undefined,
  };

  emit(message: FromWorker): void {
    for (const listener of this.#listeners) listener(message);
  }

  #serve(id: string, port: MessagePort): void {
    const life = this.#held;
    life.add(id);
    servePort(port, (given) => {
      if (life !== this.#held) return new Promise(() => undefined);
      this.requests.push(given.headers.get('x-tabplane-attempt-id') ?? '');
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

test('resends a request to the next instance when its worker is killed before any message', async () => {
  const worker = new MortalWorker();
  const all = env();
  const handle = withRetries(new WorkerPort(worker.link, all).handle, { env: all, retry: 'all' });
  const sent = handle(post());
  worker.kill();
  // The next instance answers the ping to the previous one: it does not prove that it has the port.
  worker.link.post({ kind: 'ping' });
  expect((await answered(sent, all.clock)).status).toBe(201);
  expect(worker.requests).toHaveLength(1);
});

test('detects a kill after a response when only one request waits', async () => {
  const worker = new MortalWorker();
  const all = env();
  const handle = withRetries(new WorkerPort(worker.link, all).handle, { env: all, retry: 'all' });
  expect((await answered(handle(post()), all.clock)).status).toBe(201);
  worker.kill();
  expect((await answered(handle(post()), all.clock)).status).toBe(201);
  expect(new Set(worker.requests).size).toBe(2);
});

test('queries a new instance at its first message, without waiting for the next poll', async () => {
  const worker = new MortalWorker();
  const sent = new WorkerPort(worker.link, env()).handle(post());
  const failed = expect(sent).rejects.toThrow(TransportError);
  // Queried before the kill, answered after it.
  worker.kill();
  await turn();
  worker.link.post({ kind: 'ping' });
  await failed;
});

test('fails the requests of a port when its worker is replaced', async () => {
  const worker = new MortalWorker();
  const sent = new WorkerPort(worker.link, env()).handle(post());
  worker.emit({ kind: 'paused' });
  await expect(sent).rejects.toThrow(TransportError);
});

const identified = { headers: [['x-tabplane-attempt-id', 'one']] as [string, string][] };

/** A fetch that the browser has lost: only its signal ends it. */
const forgotten = (_url: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

test('fails a fetch that the worker does not know, and waits for one in flight', async () => {
  const { clock } = env();
  const known = new Set(['one']);
  const link = { has: (id: string): Promise<boolean> => Promise.resolve(known.has(id)) };
  let failure = '';
  const sent = createWatchedFetch({ fetch: forgotten, link, clock })('https://host/x', identified).catch((error: unknown) => {
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

test('does not query an answered fetch, and forwards the caller’s abort', async () => {
  const { clock } = env();
  let queries = 0;
  const link = { has: (): Promise<boolean> => Promise.resolve(++queries < 0) };
  const quick = createWatchedFetch({ fetch: () => Promise.resolve(new Response('ok')), link, clock });
  expect(await (await quick('https://host/x', identified)).text()).toBe('ok');
  await clock.advance(60_000);
  expect(queries).toBe(0);
  const stop = new AbortController();
  const sent = createWatchedFetch({ fetch: forgotten, link, clock })('https://host/x', { ...identified, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(sent).rejects.toThrow('enough');
});

test('resends a write under its id when its fetch was lost', async () => {
  const all = env();
  const ids: (string | null)[] = [];
  const link = { has: (): Promise<boolean> => Promise.resolve(false) };
  const fetch = createWatchedFetch({
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
