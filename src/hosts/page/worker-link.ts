import { Workbox } from 'workbox-window';
import type { Clock } from '../../env/index.ts';
import type { FromWorker, ToWorker } from '../service-worker/messages.ts';

export interface WorkerLinkOptions {
  readonly url: string;
  readonly type: 'classic' | 'module';
  readonly clock: Clock;
}

/** Interval of keep-alive pings: browsers stop a worker after 30 s without an event (Firefox ends its streams then). */
const pingIntervalMs = 15_000;
const claimTimeoutMs = 1_000;
/** The old worker completes its requests and closes its storage, which takes longer under load; all requests wait for it. */
const updateTimeoutMs = 15_000;
const activateRetryMs = 500;
const maxUpdateAttempts = 3;
/** Longer than a worker takes to start under load. A timeout loses no writes, since repeated requests are deduplicated. */
const hasTimeoutMs = 10_000;
/** A query is lost when the worker is killed, so it is repeated. */
const hasRetryMs = 500;

/** The control connection of a page to its Service Worker, besides requests. */
export class WorkerLink {
  readonly #container: ServiceWorkerContainer;
  readonly #workbox: Workbox;
  readonly #registration: ServiceWorkerRegistration;
  readonly #clock: Clock;
  readonly #listeners = new Set<(message: FromWorker) => void>();
  #pinging: ReturnType<typeof setInterval> | undefined;

  /**
   * Registers the worker and waits until it is active, without a time limit: a slow network or a busy machine delays it. Rejects where
   * workers are refused.
   */
  static async start({ url, type, clock }: WorkerLinkOptions): Promise<WorkerLink> {
    const container = serviceWorkers();
    const workbox = new Workbox(url, { type, updateViaCache: 'none' });
    const registration = await workbox.register({ immediate: true });
    if (registration === undefined) throw new Error('the Service Worker could not be installed');
    await waitUntilActivated(registration);
    return new WorkerLink(container, workbox, registration, clock);
  }

  private constructor(container: ServiceWorkerContainer, workbox: Workbox, registration: ServiceWorkerRegistration, clock: Clock) {
    this.#container = container;
    this.#workbox = workbox;
    this.#registration = registration;
    this.#clock = clock;
    container.addEventListener('message', this.#handleMessage);
    container.startMessages();
    this.#pinging = setInterval(() => this.post({ kind: 'ping' }), pingIntervalMs);
  }

  get controlled(): boolean {
    return this.#container.controller !== null;
  }

  post(message: ToWorker, transfer: Transferable[] = []): void {
    const worker = this.#container.controller ?? this.#registration.active;
    worker?.postMessage(message, transfer);
  }

  /**
   * Whether the current instance of the worker has the port or request with this id. False also without a reply. The query starts a
   * stopped worker.
   */
  async has(id: string): Promise<boolean> {
    let stop = (): void => undefined;
    const answer = new Promise<boolean>((resolve) => {
      stop = this.onMessage((message) => {
        if (message.kind === 'held' && message.id === id) resolve(message.held);
      });
    });
    const query = (): void => this.post({ kind: 'has', id });
    query();
    const repeat = setInterval(query, hasRetryMs);
    try {
      return await withTimeout(this.#clock, hasTimeoutMs, answer);
    } catch {
      return false;
    } finally {
      clearInterval(repeat);
      stop();
    }
  }

  onMessage(listener: (message: FromWorker) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Claims the page, which has no controller after a hard reload. Resolves to whether it has one now. */
  async claim(): Promise<boolean> {
    if (this.controlled) return true;
    const controlled = this.controllerChange();
    this.#registration.active?.postMessage({ kind: 'claim' } satisfies ToWorker);
    await withTimeout(this.#clock, claimTimeoutMs, controlled).catch(() => undefined);
    return this.controlled;
  }

  controllerChange(): Promise<void> {
    return new Promise((resolve) => this.#container.addEventListener('controllerchange', () => resolve(), { once: true }));
  }

  onControllerChange(listener: () => void): void {
    this.#container.addEventListener('controllerchange', listener);
  }

  /** Whether a newer worker is waiting; not so while it takes over the page. */
  get hasUpdate(): boolean {
    return this.#registration.waiting !== null;
  }

  /** Calls `ready` when a newer worker is waiting. */
  onUpdate(ready: () => void): void {
    this.#workbox.addEventListener('waiting', ready);
    if (this.#registration.waiting) ready();
  }

  /**
   * Activates the waiting worker. The old one first ends all streams of all tabs: while one is open, Chromium ignores skipWaiting for
   * five minutes.
   */
  async update(): Promise<void> {
    const { waiting } = this.#registration;
    if (waiting === null) return;
    const changed = this.controllerChange();
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#activate(waiting, changed);
        return;
      } catch (error) {
        // An event that began before the pause may still hold the old worker; once it is resumed, the event ends.
        if (attempt === maxUpdateAttempts) throw error;
      }
    }
  }

  async #activate(waiting: ServiceWorker, changed: Promise<void>): Promise<void> {
    await this.#pauseWorker();
    const take = (): void => waiting.postMessage({ kind: 'skip-waiting' } satisfies ToWorker);
    take();
    // If the old worker is just being stopped when idle, Chromium ignores skipWaiting until it is called again.
    const repeat = setInterval(take, activateRetryMs);
    try {
      await withTimeout(this.#clock, updateTimeoutMs, changed);
    } catch (error) {
      this.post({ kind: 'resume' });
      throw error;
    } finally {
      clearInterval(repeat);
    }
  }

  /** Runs `work` while the worker has no cluster open and all requests wait. */
  async whilePaused(work: () => Promise<void>): Promise<void> {
    await this.#pauseWorker();
    try {
      await work();
    } finally {
      this.post({ kind: 'resume' });
    }
  }

  /** Resolves when the worker has ended all streams and closed its storage. */
  async #pauseWorker(): Promise<void> {
    const quiet = new Promise<void>((resolve) => {
      const stop = this.onMessage(({ kind }) => {
        if (kind !== 'quiet') return;
        stop();
        resolve();
      });
    });
    this.post({ kind: 'pause' });
    try {
      await withTimeout(this.#clock, updateTimeoutMs, quiet);
    } catch (error) {
      this.post({ kind: 'resume' });
      throw error;
    }
  }

  close(): void {
    clearInterval(this.#pinging);
    this.#container.removeEventListener('message', this.#handleMessage);
  }

  readonly #handleMessage = ({ data }: MessageEvent): void => {
    if (typeof data?.kind !== 'string') return;
    for (const listener of this.#listeners) listener(data as FromWorker);
  };
}

function serviceWorkers(): ServiceWorkerContainer {
  // In a sandbox the property access throws; without HTTPS the property is missing.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (container === undefined) throw new Error('a Service Worker needs https or localhost');
  return container;
}

async function waitUntilActivated(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  while (worker?.state !== 'activated') {
    if (worker === null || worker.state === 'redundant') throw new Error('the Service Worker could not be installed');
    await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
  }
}

async function withTimeout<Result>(clock: Clock, ms: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).then(() => {
    throw new Error('the Service Worker did not answer in time');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    over.abort();
  }
}
