import type { HttpHandlerOptions } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import { attemptIdHeader } from '../../meta/index.ts';
import type { WorkerLink } from './worker-link.ts';

/** Much longer than most requests take, so that few are ever checked. */
const checkIntervalMs = 5_000;
/** One miss may be a response or a request in transit. */
const missesMax = 2;

type Fetch = HttpHandlerOptions['fetch'];

export interface WatchedFetchOptions {
  readonly fetch: Fetch;
  readonly link: Pick<WorkerLink, 'has'>;
  readonly clock: Clock;
}

/**
 * A fetch to the worker with detection of lost requests: a browser passes the fetches of a killed worker to the next instance, or fails
 * them, but does not guarantee it. A fetch without response that the worker does not know fails.
 */
export function createWatchedFetch({ fetch, link, clock }: WatchedFetchOptions): Fetch {
  return async (url, init) => {
    const id = new Headers(init.headers).get(attemptIdHeader);
    if (id === null) return fetch(url, init);
    const lost = new AbortController();
    const stop = watch(id, { link, clock }, () => lost.abort(new Error('the Service Worker does not know this request')));
    try {
      return await fetch(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, lost.signal]) : lost.signal });
    } finally {
      stop();
    }
  };
}

function watch(id: string, { link, clock }: Pick<WatchedFetchOptions, 'link' | 'clock'>, onLost: () => void): () => void {
  let misses = 0;
  let over = false;
  const check = async (): Promise<void> => {
    misses = (await link.has(id)) ? 0 : misses + 1;
    if (over) return;
    if (misses >= missesMax) onLost();
    else cancel = clock.schedule(checkIntervalMs, () => void check());
  };
  let cancel = clock.schedule(checkIntervalMs, () => void check());
  return () => {
    over = true;
    cancel();
  };
}
