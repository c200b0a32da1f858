import { servePort } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import { type ApiHandler, getOrAdd, type Product, type RequestTrace } from '../../meta/index.ts';
import { type KeySpaceCopy, KeySpaceError } from '../../storage/index.ts';
import { ClusterRegistry, type ClusterStores } from '../browser/cluster-registry.ts';
import { LazyCluster } from '../browser/lazy-cluster.ts';
import type { OpenRunningCluster, RunningCluster } from '../browser/running-cluster.ts';
import type { FetchAttempts } from './fetch-attempts.ts';
import { apiTargetOf, handleFetch, pausedResponse } from './handle-fetch.ts';
import { deduplicateAttempts, InFlightRequests } from './in-flight.ts';
import { type FromWorker, type ToWorker, traceChannelName } from './messages.ts';
import { OpenStreams, type StreamLimits } from './open-streams.ts';
import { Shell, type ShellFiles } from './shell.ts';
import { TraceBroadcaster } from './trace-broadcaster.ts';
import type { WorkerClient, WorkerFetchEvent, WorkerMessageEvent, WorkerScope } from './worker-scope.ts';

export interface ServiceWorkerOptions {
  readonly clock: Clock;
  /** Default base URL of the cluster, unless set by the registration (`sw.js?base=…`): relative to the scope, or absolute. */
  readonly base: string;
  readonly shell: ShellFiles;
  /** Content security policy header of the page. */
  readonly framePolicy: string;
  readonly open: OpenRunningCluster;
  /** The additional clusters. */
  readonly others: ClusterStores;
  readonly product: Product;
  /** Stores a copy after the storage was deleted. */
  readonly store: (copy: KeySpaceCopy) => Promise<void>;
  readonly attempts: FetchAttempts;
  readonly limits?: StreamLimits;
}

/** How long the first installation, for which the page waits, may download files. The rest follows while the page is used. */
const firstFillMaxMs = 5_000;

const defaultLimits: StreamLimits = { unreadMaxBytes: 4 * 1024 * 1024, watchMaxBytes: 64 * 1024 * 1024 };

/**
 * Runs the cluster in a Service Worker. All listeners are registered synchronously, and storage is opened only on the first request: a
 * worker that is installed while another one serves must not touch its storage.
 */
export function runServiceWorker(scope: WorkerScope, options: ServiceWorkerOptions): void {
  const host = new ServiceWorkerHost(scope, options);
  scope.addEventListener('install', (event) => event.waitUntil(host.install()));
  scope.addEventListener('activate', (event) => event.waitUntil(Promise.all([scope.clients.claim(), host.shell.deleteOld()])));
  scope.addEventListener('message', (event) => host.message(event));
  scope.addEventListener('fetch', (event) => {
    const answer = host.respond(event);
    if (answer !== undefined) event.respondWith(answer);
  });
}

class ServiceWorkerHost {
  readonly shell: Shell;
  readonly #clock: Clock;
  readonly #scope: WorkerScope;
  readonly #version: string;
  readonly #baseUrl: string;
  readonly #clusters: ClusterRegistry;
  readonly #main: LazyCluster;
  readonly #store: ServiceWorkerOptions['store'];
  readonly #streams: OpenStreams;
  readonly #handle: ApiHandler;
  #persistence: Extract<FromWorker, { kind: 'pong' }>['persistence'] = 'unknown';
  #reason = '';
  #paused = false;
  readonly #inFlight = new InFlightRequests();
  readonly #attempts: FetchAttempts;
  readonly #ports = new Map<string, () => void>();

  constructor(
    scope: WorkerScope,
    { clock, base, shell, framePolicy, open, others, product, store, attempts, limits = defaultLimits }: ServiceWorkerOptions,
  ) {
    this.#clock = clock;
    this.#scope = scope;
    this.#version = shell.version;
    this.shell = new Shell(scope, shell, framePolicy);
    this.#baseUrl = baseUrlOf(scope, base);
    this.#streams = new OpenStreams(limits);
    const broadcasters = new Map<string, TraceBroadcaster>();
    const broadcasterOf = (channelName: string): TraceBroadcaster =>
      getOrAdd(broadcasters, channelName, () => {
        const channel = new BroadcastChannel(channelName);
        return new TraceBroadcaster((traces) => channel.postMessage(traces));
      });
    const broadcaster = broadcasterOf(traceChannelName(this.#baseUrl));
    const main = new LazyCluster(async () => {
      const cluster = await this.#openFreeingSpace(open);
      this.#persistence = cluster.persistence;
      this.#reason = cluster.reason;
      cluster.onTrace(broadcaster.send);
      void this.#postToPages(this.#pong());
      void cluster.deleted.then(() => {
        this.#persistence = 'lost';
        return this.#postToPages(this.#pong());
      });
      return cluster;
    });
    this.#main = main;
    this.#store = store;
    const onTrace = (id: string, trace: RequestTrace): void => broadcasterOf(traceChannelName(this.#baseUrl, id)).send(trace);
    this.#clusters = new ClusterRegistry({ main, stores: others, product, onTrace });
    this.#handle = deduplicateAttempts(this.#clusters.handle);
    this.#attempts = attempts;
  }

  /** An update has all files of its version before it replaces the worker that serves the pages. */
  async install(): Promise<void> {
    const filled = this.shell.fill();
    await (this.#scope.registration.active ? filled : Promise.race([filled, this.#clock.sleep(firstFillMaxMs)]));
  }

  /** Undefined for other requests, which the browser handles itself. */
  respond({ request, clientId }: Pick<WorkerFetchEvent, 'request' | 'clientId'>): Promise<Response> | undefined {
    const target = apiTargetOf(this.#baseUrl, request.url);
    if (target !== undefined) {
      if (this.#paused) return Promise.resolve(pausedResponse());
      const handle = this.#attempts.wrapHandler(clientId, this.#handle);
      // In flight from the reading of the body, which precedes the handler, to the begin of a stream, which follows it.
      return this.#inFlight.track((sent: Request) => handleFetch(sent, target, handle, this.#streams))(request);
    }
    const file = this.shell.fileFor(request);
    return file === undefined ? undefined : this.shell.respond(request, file);
  }

  message(event: WorkerMessageEvent): void {
    const reply = (answer: FromWorker): void => (event.source as WorkerClient | null)?.postMessage(answer);
    event.waitUntil(this.#handleMessage(event.data as ToWorker, reply, event.ports[0]));
  }

  async #handleMessage(message: ToWorker, reply: (answer: FromWorker) => void, port: MessagePort | undefined): Promise<void> {
    switch (message.kind) {
      case 'claim':
        return this.#scope.clients.claim();
      case 'ping':
        // Not awaited: an event in progress delays the activation of the next worker.
        void this.shell.resume();
        return reply(this.#pong());
      case 'connect':
        return this.#connect(message.id, port);
      case 'has':
        return reply({ kind: 'held', id: message.id, held: this.#ports.has(message.id) || this.#inFlight.has(message.id) });
      case 'pause':
        await this.#pause();
        return reply({ kind: 'quiet' });
      case 'resume':
        this.#paused = false;
        return this.#postToPages({ kind: 'resumed' });
      case 'store-again':
        return this.#storeAgain();
      case 'skip-waiting':
        return this.#scope.skipWaiting();
    }
  }

  /** No writes are lost: the deleted storage accepts none. Reopening the cluster notifies the pages. */
  async #storeAgain(): Promise<void> {
    if (this.#persistence !== 'lost') return;
    await this.#store(await (await this.#main.get()).copy());
    await this.#main.close();
    await this.#main.get();
  }

  /** Opens the cluster; when the quota is exhausted, drops the page's offline copy first. */
  async #openFreeingSpace(open: OpenRunningCluster): Promise<RunningCluster> {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof KeySpaceError) || error.code !== 'out-of-space') throw error;
      await this.shell.delete();
      return open();
    }
  }

  #pong(): FromWorker {
    return { kind: 'pong', persistence: this.#persistence, reason: this.#reason, version: this.#version };
  }

  /** Ports are ignored while paused: the page notices by its `has` query, and retries. */
  #connect(id: string, port: MessagePort | undefined): void {
    if (port === undefined || this.#paused) return;
    this.#ports.set(id, servePort(port, this.#inFlight.track(this.#handle)));
    port.addEventListener('close', () => this.#ports.delete(id));
    port.start();
  }

  /** Resolves when no request is in flight and the storage is closed for the next worker. */
  async #pause(): Promise<void> {
    this.#paused = true;
    await this.#postToPages({ kind: 'paused' });
    this.#streams.endAll();
    for (const end of this.#ports.values()) end();
    this.#ports.clear();
    await this.#inFlight.whenIdle();
    // Those that the requests in flight began.
    this.#streams.endAll();
    await this.#clusters.close();
  }

  async #postToPages(message: FromWorker): Promise<void> {
    const pages = await this.#scope.clients.matchAll({ includeUncontrolled: true });
    for (const page of pages) page.postMessage(message);
  }
}

/** The absolute base URL with a trailing slash. */
function baseUrlOf({ location, registration }: WorkerScope, base: string): string {
  const configured = new URL(location.href).searchParams.get('base') ?? base;
  return new URL(configured, registration.scope).href.replace(/\/?$/, '/');
}
