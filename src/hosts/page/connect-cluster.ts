import {
  clusterApi,
  clusterPath,
  createBurstHandler,
  createHttpHandler,
  isRead,
  SwitchableHandler,
  TransportError,
  type TransportStatus,
  withRetries,
} from '../../client/index.ts';
import { type Env, errorMessage } from '../../env/index.ts';
import type { ApiHandler, ProductName, RequestTrace } from '../../meta/index.ts';
import { type FromWorker, traceChannelName } from '../service-worker/messages.ts';
import type { LocalCore } from './local-core.ts';
import { createWatchedFetch } from './watched-fetch.ts';
import { WorkerLink } from './worker-link.ts';
import { WorkerPort } from './worker-port.ts';

export interface ConnectOptions {
  readonly env: Env;
  /** The product names of the cluster's API. */
  readonly names: ProductName;
  /** Absolute base URL of the cluster for fetch. */
  readonly baseUrl: string;
  /** Absolute URL of the Service Worker's script. */
  readonly workerUrl: string;
  readonly workerType: 'classic' | 'module';
  /** Absolute URL of the core as a module, for pages without a Service Worker. */
  readonly coreUrl: string;
  /** Absolute URL of a remote server, used instead of a cluster of the page. */
  readonly remoteUrl?: string;
}

/** The connection of a page to its cluster, by the best available transport. Requests wait until the transport is ready. */
export interface Connection {
  readonly api: ApiHandler;
  /** The same API for clients with many streams: sends messages to a worker where `api` uses fetch. */
  readonly streamingApi: ApiHandler;
  readonly baseUrl: string;
  status(): TransportStatus;
  onStatus(listener: (status: TransportStatus) => void): () => void;
  /** Subscribes to the traces of requests, including those of other tabs. */
  onTrace(listener: (traces: readonly RequestTrace[]) => void): () => void;
  /** Performs the action of `status().offer`. */
  acceptOffer(): Promise<void>;
  /** A connection to another cluster of the same host (client/cluster-path.ts), by the same transport. */
  beside(id: string): Connection;
  /** Removes all clusters stored in this browser; the page's own starts empty. */
  forget(): Promise<void>;
  close(): void;
}

/** The page then explains why requests wait. */
const slowWorkerMs = 10_000;

type TraceListener = (traces: readonly RequestTrace[]) => void;

export function connectCluster(options: ConnectOptions): Connection {
  const connection = new PageConnection(options);
  void connection.start();
  return connection;
}

class PageConnection implements Connection {
  readonly baseUrl: string;
  readonly #options: ConnectOptions;
  readonly #transport = new SwitchableHandler();
  readonly #streamingTransport = new SwitchableHandler();
  readonly #statusListeners = new Set<(status: TransportStatus) => void>();
  /** By cluster id; undefined: the host's own cluster. */
  readonly #traceListeners = new Map<string | undefined, Set<TraceListener>>();
  #status: TransportStatus = { transport: 'connecting', persistence: 'unknown', reason: '', build: '', offer: 'none' };
  #link: WorkerLink | undefined;
  /** A worker that became available after local writes. */
  #lateLink: WorkerLink | undefined;
  #local: LocalCore | undefined;
  /** The first attempt. It may still be in progress when the user has declined to wait. */
  #started: Promise<WorkerLink> | undefined;
  /** Ends the wait for the worker. */
  #declineWorker: (() => void) | undefined;
  /** By cluster id; undefined: the host's own cluster. */
  readonly #channels = new Map<string | undefined, BroadcastChannel>();
  /** Whether the local core has writes that a switch to the worker would lose. */
  #wroteLocally = false;

  constructor(options: ConnectOptions) {
    this.#options = options;
    this.baseUrl = options.remoteUrl ?? options.baseUrl;
  }

  get api(): ApiHandler {
    return this.#transport.handle;
  }

  get streamingApi(): ApiHandler {
    return this.#streamingTransport.handle;
  }

  status(): TransportStatus {
    return this.#status;
  }

  onStatus(listener: (status: TransportStatus) => void): () => void {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  onTrace(listener: TraceListener, cluster?: string): () => void {
    const listeners = this.#traceListeners.get(cluster) ?? new Set();
    this.#traceListeners.set(cluster, listeners.add(listener));
    if (this.#link) this.#listenToTraces(cluster);
    return () => listeners.delete(listener);
  }

  beside(id: string): Connection {
    return {
      api: clusterApi((request) => this.api(request), id),
      streamingApi: clusterApi((request) => this.streamingApi(request), id),
      baseUrl: this.baseUrl.replace(/\/$/, '') + clusterPath(id),
      status: () => this.status(),
      onStatus: (listener) => this.onStatus(listener),
      onTrace: (listener) => this.onTrace(listener, id),
      acceptOffer: () => this.acceptOffer(),
      beside: (other) => this.beside(other),
      forget: () => this.forget(),
      close: () => undefined,
    };
  }

  async start(): Promise<void> {
    if (this.#options.remoteUrl !== undefined) return this.#useRemote(this.#options.remoteUrl);
    const onTime = this.#options.env.clock.schedule(slowWorkerMs, () => this.#updateStatus({ offer: 'unsaved' }));
    const declined = new Promise<never>((_, reject) => {
      this.#declineWorker = () => reject(new Error());
    });
    this.#started = this.#startWorker();
    try {
      await this.#useWorker(await Promise.race([this.#started, declined]));
    } catch (error) {
      await this.#useLocalCore(errorMessage(error)).catch((failure: unknown) => this.#failRequests(errorMessage(failure)));
    } finally {
      onTime();
    }
  }

  async acceptOffer(): Promise<void> {
    const { offer } = this.#status;
    if (offer === 'unsaved') this.#declineWorker?.();
    if (offer === 'update') await this.#link?.update();
    if (offer === 'store-again') this.#link?.post({ kind: 'store-again' });
    if (offer === 'worker-back' && this.#lateLink !== undefined) await this.#useWorker(this.#lateLink);
  }

  async forget(): Promise<void> {
    const { deleteAllClusters: forgetClusters } = await import('./delete-all-clusters.ts');
    const { names, workerUrl } = this.#options;
    const forget = (): Promise<void> => forgetClusters({ names, folder: new URL('./', workerUrl).pathname });
    await (this.#link === undefined ? forget() : this.#link.whilePaused(forget));
  }

  close(): void {
    this.#pauseTransport();
    this.#link?.close();
    this.#local?.close();
    for (const channel of this.#channels.values()) channel.close();
  }

  #startWorker(): Promise<WorkerLink> {
    const { workerUrl: url, workerType: type, env } = this.#options;
    return WorkerLink.start({ url, type, clock: env.clock });
  }

  async #useRemote(baseUrl: string): Promise<void> {
    const { env, names } = this.#options;
    // Loaded on demand, since few pages need it.
    const { connectRemoteServer } = await import('./remote-server.ts');
    this.#setTransport(withRetries(connectRemoteServer({ baseUrl, names }), { env, retry: 'reads' }));
    this.#updateStatus({ transport: 'remote', persistence: 'remote', reason: baseUrl, offer: 'none' });
  }

  async #useWorker(link: WorkerLink): Promise<void> {
    const { env, baseUrl } = this.#options;
    this.#link = link;
    const watched = createWatchedFetch({ fetch: (url, init) => fetch(url, init), link, clock: env.clock });
    const http = createHttpHandler({ baseUrl, marker: 'required', fetch: watched });
    const port = new WorkerPort(link, env).handle;
    const byFetch = withRetries(withReclaim(createBurstHandler(http, port), link), { env, retry: 'all' });
    const byPort = withRetries(port, { env, retry: 'all' });
    const activate = (): void => {
      this.#local?.close();
      this.#local = undefined;
      this.#setTransport(link.controlled ? byFetch : byPort, byPort);
      const reason = link.controlled ? '' : 'loaded past the Service Worker: requests are messages';
      const offer = this.#status.offer === 'update' ? 'update' : 'none';
      this.#updateStatus({ transport: link.controlled ? 'service-worker' : 'service-worker-port', reason, offer });
    };
    this.#listen(link, activate);
    await link.claim();
    activate();
    link.post({ kind: 'ping' });
  }

  #listen(link: WorkerLink, activate: () => void): void {
    for (const cluster of [undefined, ...this.#traceListeners.keys()]) this.#listenToTraces(cluster);
    link.onMessage((message) => this.#handleMessage(message, activate));
    link.onUpdate(() => this.#updateStatus({ offer: 'update' }));
    link.onControllerChange(() => {
      // A page that was loaded past the worker is claimed by the old one, while the new one may still wait.
      this.#updateStatus({ offer: link.hasUpdate ? 'update' : 'none' });
      activate();
      link.post({ kind: 'ping' });
    });
  }

  #listenToTraces(cluster: string | undefined): void {
    if (this.#channels.has(cluster)) return;
    const channel = new BroadcastChannel(traceChannelName(this.#options.baseUrl, cluster));
    channel.addEventListener('message', ({ data }: MessageEvent<readonly RequestTrace[]>) => this.#emitTraces(data, cluster));
    this.#channels.set(cluster, channel);
  }

  #handleMessage(message: FromWorker, go: () => void): void {
    if (message.kind === 'paused') this.#pauseTransport();
    if (message.kind === 'resumed') go();
    if (message.kind !== 'pong') return;
    const { persistence, version, reason } = message;
    const offer = persistence === 'lost' ? 'store-again' : this.#status.offer === 'store-again' ? 'none' : this.#status.offer;
    this.#updateStatus({ persistence, build: version, offer, ...(reason === '' ? {} : { reason }) });
  }

  async #useLocalCore(reason: string): Promise<void> {
    const { coreUrl, env } = this.#options;
    // Loaded on demand, since few pages need it.
    const { startLocalCore } = await import('./local-core.ts');
    const local = await startLocalCore(coreUrl, env.clock, (trace, cluster) => this.#emitTraces([trace], cluster));
    this.#local = local;
    const recordWrites: ApiHandler = (request) => {
      if (!isRead(request.method)) this.#wroteLocally = true;
      return local.handle(request);
    };
    // What the components write is not lost: they write it again.
    this.#setTransport(withRetries(recordWrites, { env, retry: 'all' }), withRetries(local.handle, { env, retry: 'all' }));
    this.#updateStatus({ transport: local.transport, persistence: 'memory', reason, offer: 'none' });
    void this.#regainWorker();
  }

  /** The page could not run the core either: requests fail with the reason instead of waiting. */
  #failRequests(reason: string): void {
    this.#setTransport(() => Promise.reject(new TransportError('network', `no cluster in this page: ${reason}`)));
    this.#updateStatus({ reason, offer: 'none' });
  }

  /** Switches to a worker that became available later, or offers it if that would lose local writes. */
  async #regainWorker(): Promise<void> {
    const link = await this.#started?.catch(() => this.#startWorker()).catch(() => undefined);
    if (link === undefined) return;
    if (!this.#wroteLocally) return this.#useWorker(link);
    this.#lateLink = link;
    this.#updateStatus({ offer: 'worker-back' });
  }

  #setTransport(usual: ApiHandler, streaming: ApiHandler = usual): void {
    this.#transport.setTarget(usual);
    this.#streamingTransport.setTarget(streaming);
  }

  #pauseTransport(): void {
    this.#transport.pause();
    this.#streamingTransport.pause();
  }

  #updateStatus(change: Partial<TransportStatus>): void {
    this.#status = { ...this.#status, ...change };
    for (const listener of this.#statusListeners) listener(this.#status);
  }

  #emitTraces(traces: readonly RequestTrace[], cluster: string | undefined): void {
    for (const listener of this.#traceListeners.get(cluster) ?? []) listener(traces);
  }
}

/** If a static server answers, the page has lost its controller: claims it again before the next attempt. */
function withReclaim(handle: ApiHandler, link: WorkerLink): ApiHandler {
  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      if (error instanceof TransportError && error.code === 'not-cluster') await link.claim();
      throw error;
    }
  };
}
