/** How the page is connected to its cluster, for the console. */
export interface TransportStatus {
  readonly transport: 'connecting' | 'service-worker' | 'service-worker-port' | 'worker' | 'page' | 'remote';
  /** Whether writes are persistent. */
  readonly persistence: 'unknown' | 'saved' | 'memory' | 'lost' | 'remote';
  /** Why the default transport is not in use, as a UI text; empty when it is. */
  readonly reason: string;
  /** The build of the worker; empty until known, and where there is no worker. */
  readonly build: string;
  /**
   * `update`: a newer version is waiting. `worker-back`: the saved cluster is available again, switching leaves this one. `store-again`:
   * the storage was deleted and can be restored from memory. `unsaved`: the worker is slow to start, a cluster in memory can be used instead.
   */
  readonly offer: 'none' | 'update' | 'worker-back' | 'store-again' | 'unsaved';
}
