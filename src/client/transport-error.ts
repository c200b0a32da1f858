/**
 * Why no answer of the cluster came back.
 * - `network`: the connection failed or broke before the answer was whole
 * - `not-cluster`: somebody else answered (a static server, since the worker was not asked)
 * - `paused`: the worker is about to be replaced and takes nothing new
 */
export type TransportErrorCode = 'network' | 'not-cluster' | 'paused';

/** A request that can be sent again with the same id: the cluster answers what it did the first time. */
export class TransportError extends Error {
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransportError';
    this.code = code;
  }
}
