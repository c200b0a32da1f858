import { expect, test } from 'vitest';
import { createManualClock, createSeededRandom } from '../../env/index.ts';
import { type ApiHandler, type ApiResponse, productByName } from '../../meta/index.ts';
import type { RunningCluster } from '../browser/running-cluster.ts';
import { FetchAttempts } from './fetch-attempts.ts';
import type { ToWorker } from './messages.ts';
import { runServiceWorker } from './run-service-worker.ts';
import type { WorkerScope } from './worker-scope.ts';

const scopeUrl = 'https://host/docs/';

type Listener = (event: object) => void;

/** A worker with a page, over a cluster with this handler. */
function startWorker(handle: ApiHandler) {
  const listeners = new Map<string, Listener>();
  const received: unknown[] = [];
  const page = { postMessage: (message: unknown) => void received.push(message) };
  const scope: Partial<WorkerScope> = {
    location: { href: `${scopeUrl}sw.js` },
    registration: { scope: scopeUrl },
    clients: { claim: async () => undefined, matchAll: async () => [page] },
    addEventListener: (type: string, listener: unknown) => void listeners.set(type, listener as Listener),
  };
  const cluster = (): RunningCluster => ({
    handle,
    persistence: 'memory',
    reason: '',
    onTrace: () => () => undefined,
    copy: () => Promise.reject(new Error('not copied')),
    takenOver: new Promise(() => undefined),
    deleted: new Promise(() => undefined),
    close: async () => undefined,
  });
  runServiceWorker(scope as WorkerScope, {
    base: './',
    shell: { version: 'one', files: [], framePolicy: '' },
    open: async () => cluster(),
    others: {
      namesById: async () => new Map(),
      open: async () => cluster(),
      openFresh: async () => cluster(),
      fill: async () => undefined,
      remove: async () => undefined,
    },
    product: productByName('kubernetes'),
    store: async () => undefined,
    attempts: new FetchAttempts(
      { begin: async () => undefined, record: () => undefined },
      { clock: createManualClock(), random: createSeededRandom(1) },
    ),
  });
  return {
    received,
    /** Resolves when the event that the message is has ended. */
    post: (data: ToWorker) => new Promise((resolve) => listeners.get('message')?.({ data, source: page, ports: [], waitUntil: resolve })),
    fetch: (request: Request) =>
      new Promise<Response>((resolve) => listeners.get('fetch')?.({ request, clientId: 'page', respondWith: resolve })),
  };
}

const pods = `${scopeUrl}api/v1/pods`;

async function* withoutEvents(): AsyncGenerator<string> {
  await new Promise(() => undefined);
}

test('a pause for an update ends the streams of the requests that were in flight', async () => {
  let answer = (_: ApiResponse): void => undefined;
  const worker = startWorker(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const watch = worker.fetch(new Request(`${pods}?watch=true`));
  await new Promise((resolve) => setImmediate(resolve));
  const paused = worker.post({ kind: 'pause' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(worker.received).not.toContainEqual({ kind: 'quiet' });
  answer({ status: 200, headers: [], body: withoutEvents() });
  expect(await (await watch).text()).toBe('');
  await paused;
  expect(worker.received).toContainEqual({ kind: 'quiet' });
});

test('a pause waits for requests that are being read, and later ones are answered with the marker', async () => {
  const handled: string[] = [];
  const worker = startWorker(async ({ method }) => {
    handled.push(method);
    return { status: 201, headers: [], body: undefined };
  });
  let send = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = () => controller.close();
    },
  });
  const written = worker.fetch(new Request(pods, { method: 'POST', body, duplex: 'half' } as RequestInit));
  const paused = worker.post({ kind: 'pause' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(worker.received).not.toContainEqual({ kind: 'quiet' });
  const refused = await worker.fetch(new Request(pods));
  expect([refused.status, refused.headers.get('x-tabplane')]).toEqual([503, 'paused']);
  send();
  expect((await written).status).toBe(201);
  await paused;
  expect([worker.received.at(-1), handled]).toEqual([{ kind: 'quiet' }, ['POST']]);
  void worker.post({ kind: 'resume' });
  expect((await worker.fetch(new Request(pods))).status).toBe(201);
});
