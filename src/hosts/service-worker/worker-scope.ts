/** The used part of ServiceWorkerGlobalScope, declared here because TypeScript cannot combine the DOM and WebWorker libraries. */
export interface WorkerScope {
  readonly location: { readonly href: string };
  readonly registration: { readonly scope: string; readonly active: object | null };
  readonly caches: CacheStorage;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { readonly includeUncontrolled: boolean }): Promise<readonly WorkerClient[]>;
  };
  fetch(url: string): Promise<Response>;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LifetimeEvent) => void): void;
  addEventListener(type: 'message', listener: (event: WorkerMessageEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: WorkerFetchEvent) => void): void;
}

export interface LifetimeEvent {
  waitUntil(work: Promise<unknown>): void;
}

export interface WorkerClient {
  postMessage(message: unknown): void;
}

export interface WorkerMessageEvent extends LifetimeEvent {
  readonly data: unknown;
  readonly source: unknown;
  readonly ports: readonly MessagePort[];
}

export interface WorkerFetchEvent extends LifetimeEvent {
  readonly request: Request;
  /** Client id of the fetching page or worker; empty for a navigation. */
  readonly clientId: string;
  respondWith(answer: Promise<Response>): void;
}
