/** Messages between pages and their worker, besides requests. */

export type ToWorker =
  /** Claim this page (after a hard reload it has no controller). */
  | { readonly kind: 'claim' }
  /** Keep-alive; answered by `pong`. */
  | { readonly kind: 'ping' }
  /** Serve requests over the transferred port, which is identified by `id`. */
  | { readonly kind: 'connect'; readonly id: string }
  /** Query whether this instance has the port, or a request in flight, with this id; answered by `held`. */
  | { readonly kind: 'has'; readonly id: string }
  /** A newer worker takes over: end all streams, complete requests in flight, close the storage; answered by `quiet`. */
  | { readonly kind: 'pause' }
  /** The newer worker did not take over. */
  | { readonly kind: 'resume' }
  /** The storage was deleted: store the data in memory again. */
  | { readonly kind: 'store-again' }
  /** To the waiting worker: activate now. */
  | { readonly kind: 'skip-waiting' };

export type FromWorker =
  | {
      readonly kind: 'pong';
      /** `lost`: the open storage was deleted, and the data is only in memory. */
      readonly persistence: 'unknown' | 'saved' | 'memory' | 'lost';
      readonly reason: string;
      readonly version: string;
    }
  | { readonly kind: 'held'; readonly id: string; readonly held: boolean }
  /** To all pages: hold requests, a newer worker is taking over. */
  | { readonly kind: 'paused' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'quiet' };

/** Name of the BroadcastChannel for request traces of the worker's own cluster, or of the additional cluster `id`. */
export function traceChannelName(baseUrl: string, id = ''): string {
  return `tabplane-trace ${baseUrl}${id}`;
}
