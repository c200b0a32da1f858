/** By which way the page speaks to its cluster, for the console to show. */
export interface TransportStatus {
  readonly transport: 'connecting' | 'service-worker' | 'service-worker-port' | 'worker' | 'page' | 'remote';
  /** Whether what is written is there tomorrow. */
  readonly kept: 'unknown' | 'saved' | 'memory' | 'lost' | 'remote';
  /** Why it is not the usual way, in words for the user; empty when it is. */
  readonly reason: string;
  /** Which build of the page's files the worker is of; empty until it says so, and where there is none. */
  readonly build: string;
  /**
   * `update`: a newer version waits to be let in. `worker-back`: the saved cluster can be had again, this one would be left. `store-again`: the storage was
   * deleted, and can be made again from memory.
   */
  readonly offer: 'none' | 'update' | 'worker-back' | 'store-again';
}
