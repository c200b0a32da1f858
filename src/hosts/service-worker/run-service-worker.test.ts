import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { createManualClock, createSeededRandom } from '../../env/index.ts';
import { type ApiHandler, type ApiResponse, productByName } from '../../meta/index.ts';
import type { RunningCluster } from '../browser/running-cluster.ts';
import { FetchAttempts } from './fetch-attempts.ts';
import type { ToWorker } from './messages.ts';
import { runServiceWorker } from './run-service-worker.ts';
import type { WorkerScope } from './worker-scope.ts';

const scopeUrl = 'https://host/docs/';

type Listener = (event: object) => void;

interface StartOptions {
  readonly handle?: ApiHandler;
  readonly files?: readonly string[];
  readonly site?: ReturnType<typeof slowSite>;
  /** Whether an earlier version serves the page. */
  readonly isUpdate?: boolean;
}

/** A worker with a page. */
function startWorker({ handle = unusedHandler, files = [], site, isUpdate = false }: StartOptions) {
  const clock = createManualClock();
  const listeners = new Map<string, Listener>();
  const received: unknown[] = [];
  const page = { postMessage: (message: unknown) => void received.push(message) };
  const scope: Partial<WorkerScope> = {
    location: { href: `${scopeUrl}sw.js` },
    registration: { scope: scopeUrl, active: isUpdate ? {} : null },
    ...site?.scope,
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
    clock,
    base: './',
    shell: { version: 'one', files, archive: 'assets/offline.bin' },
    framePolicy: '',
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
    attempts: new FetchAttempts({ begin: async () => undefined, record: () => undefined }, { clock, random: createSeededRandom(1) }),
  });
  return {
    clock,
    received,
    /** Resolves when the worker is installed. */
    install: () => new Promise<void>((resolve) => listeners.get('install')?.({ waitUntil: resolve })),
    /** Resolves when the event that the message is has ended. */
    post: (data: ToWorker) => new Promise((resolve) => listeners.get('message')?.({ data, source: page, ports: [], waitUntil: resolve })),
    fetch: (request: Request) =>
      new Promise<Response>((resolve) => listeners.get('fetch')?.({ request, clientId: 'page', respondWith: resolve })),
  };
}

const unusedHandler: ApiHandler = () => Promise.reject(new Error('not handled'));

const pods = `${scopeUrl}api/v1/pods`;

async function* withoutEvents(): AsyncGenerator<string> {
  await new Promise(() => undefined);
}

test('a pause for an update ends the streams of the requests that were in flight', async () => {
  let answer = (_: ApiResponse): void => undefined;
  const worker = startWorker({
    handle: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
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
  const worker = startWorker({
    handle: async ({ method }) => {
      handled.push(method);
      return { status: 201, headers: [], body: undefined };
    },
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

/** A site whose downloads wait until they are answered, and the browser's caches. */
function slowSite() {
  const stored = new Map<string, string>();
  const downloads = new Map<string, (content: string | Buffer<ArrayBuffer> | undefined) => void>();
  const names = new Set<string>();
  const fetch = (url: string): Promise<Response> =>
    new Promise((resolve, reject) => {
      const path = url.slice(scopeUrl.length);
      downloads.set(path, (content) => {
        downloads.delete(path);
        if (content === undefined) reject(new TypeError('Failed to fetch'));
        else resolve(new Response(content));
      });
    });
  const put = async (file: string, response: Response): Promise<void> => {
    stored.set(file.slice(scopeUrl.length), await response.text());
  };
  const cache: Partial<Cache> = {
    match: async (file) => (stored.has(String(file).slice(scopeUrl.length)) ? new Response() : undefined),
    put: (file, response) => put(String(file), response),
    add: async (file) => put((file as Request).url, await fetch((file as Request).url)),
  };
  const caches: Partial<CacheStorage> = {
    has: async (name) => names.has(name),
    delete: async (name) => names.delete(name),
    async open(name) {
      names.add(name);
      return cache as Cache;
    },
  };
  return { stored, downloads, scope: { fetch, caches: caches as CacheStorage } };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function isDone(work: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  await turn();
  return (await Promise.race([work, open])) !== open;
}

const files = ['index.html', 'icon.svg'];
const archiveIndex = JSON.stringify([
  ['icon.svg', 'image/svg+xml', 4],
  ['assets/a.js', 'text/javascript', 4],
]);
const archive = gzipSync(`${archiveIndex}\n<ä>b();`);
const archiveFile = 'assets/offline.bin';
const isRequested = (site: ReturnType<typeof slowSite>, file: string): Promise<void> =>
  vi.waitFor(() => expect([...site.downloads.keys()]).toContain(file));

test('the first installation waits for the offline copy for five seconds, and the copy is completed later', async () => {
  const site = slowSite();
  const worker = startWorker({ files, site });
  const installed = worker.install();
  await turn();
  await worker.clock.advance(4_999);
  expect(await isDone(installed)).toBe(false);
  await worker.clock.advance(1);
  expect(await isDone(installed)).toBe(true);
  site.downloads.get(archiveFile)?.(undefined);
  await turn();
  expect([...site.stored.keys()]).toEqual([]);

  const restarted = startWorker({ files, site });
  await restarted.post({ kind: 'ping' });
  await restarted.post({ kind: 'ping' });
  await turn();
  site.downloads.get(archiveFile)?.(archive);
  await isRequested(site, 'index.html');
  site.downloads.get('index.html')?.('<p>');
  await turn();
  expect([...site.stored]).toEqual([
    ['assets/offline-index', `${archiveIndex}\n`],
    ['assets/offline-contents', '<ä>b();'],
    ['index.html', '<p>'],
  ]);

  await startWorker({ files, site }).post({ kind: 'ping' });
  await turn();
  expect([...site.downloads.keys()]).toEqual([]);
});

test('an update is installed when its offline copy is complete', async () => {
  const site = slowSite();
  const worker = startWorker({ files, site, isUpdate: true });
  const installed = worker.install();
  await turn();
  await worker.clock.advance(60_000);
  site.downloads.get(archiveFile)?.(archive);
  await isRequested(site, 'index.html');
  expect(await isDone(installed)).toBe(false);
  site.downloads.get('index.html')?.('<p>');
  expect(await isDone(installed)).toBe(true);
});

test('an offline copy that was deleted to free space is not downloaded again', async () => {
  const site = slowSite();
  await startWorker({ files, site }).post({ kind: 'ping' });
  await turn();
  expect([...site.downloads.keys()]).toEqual([]);
});
