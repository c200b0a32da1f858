import { Workbox } from 'workbox-window';
import type { Clock } from '../../env/index.ts';
import type { FromWorker, ToWorker } from '../service-worker/messages.ts';

export interface WorkerLinkOptions {
  readonly url: string;
  readonly type: 'classic' | 'module';
  readonly clock: Clock;
}

/** Interval of keep-alive pings: browsers stop a worker after 30 s without an event (Firefox ends its streams then). */
const pingEveryMs = 15_000;
const registerMs = 10_000;
const claimMs = 1_000;
/** The old worker completes its requests and closes its storage, which takes longer under load; all requests wait for it. */
const updateMs = 15_000;
const takeAgainMs = 500;
/** Longer than a worker takes to start under load. A timeout loses no writes, since repeated requests are deduplicated. */
const hasMs = 10_000;
/** A query is lost when the worker is killed, so it is repeated. */
const hasAgainMs = 500;

/** The control connection of a page to its Service Worker, besides requests. */
export class WorkerLink {
  readonly #container: ServiceWorkerContainer;
  readonly #workbox: Workbox;
  readonly #registration: ServiceWorkerRegistration;
  readonly #clock: Clock;
  readonly #listeners = new Set<(message: FromWorker) => void>();
  #pinging: ReturnType<typeof setInterval> | undefined;

  /** Registers the worker and waits until it is active. Rejects where workers are refused. */
  static async start({ url, type, clock }: WorkerLinkOptions): Promise<WorkerLink> {
    const container = serviceWorkers();
    const workbox = new Workbox(url, { type, updateViaCache: 'none' });
    const registration = await within(clock, registerMs, workbox.register({ immediate: true }));
    if (registration === undefined) throw new Error('the browser did not register the Service Worker');
    await within(clock, registerMs, activated(registration));
    return new WorkerLink(container, workbox, registration, clock);
  }

  private constructor(container: ServiceWorkerContainer, workbox: Workbox, registration: ServiceWorkerRegistration, clock: Clock) {
    this.#container = container;
    this.#workbox = workbox;
    this.#registration = registration;
    this.#clock = clock;
    container.addEventListener('message', this.#hear);
    container.startMessages();
    this.#pinging = setInterval(() => this.post({ kind: 'ping' }), pingEveryMs);
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
    const ask = (): void => this.post({ kind: 'has', id });
    ask();
    const asking = setInterval(ask, hasAgainMs);
    try {
      return await within(this.#clock, hasMs, answer);
    } catch {
      return false;
    } finally {
      clearInterval(asking);
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
    await within(this.#clock, claimMs, controlled).catch(() => undefined);
    return this.controlled;
  }

  controllerChange(): Promise<void> {
    return new Promise((resolve) => this.#container.addEventListener('controllerchange', () => resolve(), { once: true }));
  }

  onControllerChange(listener: () => void): void {
    this.#container.addEventListener('controllerchange', listener);
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
    await this.#quiet();
    const take = (): void => waiting.postMessage({ kind: 'skip-waiting' } satisfies ToWorker);
    take();
    // If the old worker is just being stopped when idle, Chromium ignores skipWaiting until it is called again.
    const taking = setInterval(take, takeAgainMs);
    try {
      await within(this.#clock, updateMs, changed);
    } catch (error) {
      this.post({ kind: 'resume' });
      throw error;
    } finally {
      clearInterval(taking);
    }
  }

  /** Runs `work` while the worker has no cluster open and all requests wait. */
  async whileQuiet(work: () => Promise<void>): Promise<void> {
    await this.#quiet();
    try {
      await work();
    } finally {
      this.post({ kind: 'resume' });
    }
  }

  /** Resolves when the worker has ended all streams and closed its storage. */
  async #quiet(): Promise<void> {
    const quiet = new Promise<void>((resolve) => {
      const stop = this.onMessage(({ kind }) => {
        if (kind !== 'quiet') return;
        stop();
        resolve();
      });
    });
    this.post({ kind: 'pause' });
    try {
      await within(this.#clock, updateMs, quiet);
    } catch (error) {
      this.post({ kind: 'resume' });
      throw error;
    }
  }

  close(): void {
    clearInterval(this.#pinging);
    this.#container.removeEventListener('message', this.#hear);
  }

  readonly #hear = ({ data }: MessageEvent): void => {
    if (typeof data?.kind !== 'string') return;
    for (const listener of this.#listeners) listener(data as FromWorker);
  };
}

function serviceWorkers(): ServiceWorkerContainer {
  // In a sandbox the property access throws; without HTTPS the property is missing.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (container === undefined) throw new Error('this page may not have a Service Worker (it needs https or localhost)');
  return container;
}

async function activated(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (worker === null) throw new Error('the Service Worker has no version');
  while (worker.state !== 'activated') {
    if (worker.state === 'redundant') throw new Error('the Service Worker could not be installed');
    await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
  }
}

async function within<Result>(clock: Clock, ms: number, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).then(() => {
    throw new Error(`the Service Worker did not answer within ${ms / 1_000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    over.abort();
  }
}
