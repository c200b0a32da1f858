/**
 * Why there is no response of the cluster.
 * - `network`: the connection failed, or broke before the response was complete
 * - `not-cluster`: another server responded (a static file server, since the worker did not intercept)
 * - `paused`: the worker is about to be replaced and accepts no requests
 */
export type TransportErrorCode = 'network' | 'not-cluster' | 'paused';

/** A request that can be retried with the same attempt id: the server returns the result of the first attempt. */
export class TransportError extends Error {
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransportError';
    this.code = code;
  }
}
