/** What pages and their worker say to each other beside requests: one file for both ends. */

export type ToWorker =
  /** Take this page under control (after a hard reload it has no controller). */
  | { readonly kind: 'claim' }
  /** Stay alive; answered by `pong`. */
  | { readonly kind: 'ping' }
  /** Serve requests over the port that comes with it, which is known as `id`. */
  | { readonly kind: 'connect'; readonly id: string }
  /** Has this life of yours the port, or a request under way, of this id? Answered by `held`. */
  | { readonly kind: 'has'; readonly id: string }
  /** A newer worker is to take over: end all streams, finish what is under way, let go of the storage; answered by `quiet`. */
  | { readonly kind: 'pause' }
  /** The newer worker did not come. */
  | { readonly kind: 'resume' }
  /** The storage was deleted: store again all that is in memory. */
  | { readonly kind: 'store-again' }
  /** To the newer worker: take over now. */
  | { readonly kind: 'skip-waiting' };

export type FromWorker =
  | {
      readonly kind: 'pong';
      /** `lost`: the storage was deleted while it was open, and all is in memory. */
      readonly kept: 'unknown' | 'saved' | 'memory' | 'lost';
      readonly reason: string;
      readonly version: string;
    }
  | { readonly kind: 'held'; readonly id: string; readonly held: boolean }
  /** To every page: hold your requests, a newer worker is coming. */
  | { readonly kind: 'paused' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'quiet' };

/** Where a worker tells all pages what each request went through, to its cluster or to the one of this id beside it. */
export function traceChannelName(baseUrl: string, id = ''): string {
  return `tabplane-trace ${baseUrl}${id}`;
}
