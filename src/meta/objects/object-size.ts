import { StatusError } from '../errors/status.ts';

/** Size of the largest object that etcd stores with its default `--max-request-bytes`. */
export const maxObjectBytes: number = 1.5 * 1024 * 1024;

const tooLarge = 'etcdserver: request is too large';

/** The error for a larger object. Cf. etcd ErrGRPCRequestTooLarge. */
export const objectTooLarge = (): StatusError => new StatusError(500, '', tooLarge);

export function isObjectTooLarge(error: unknown): boolean {
  return error instanceof StatusError && error.message === tooLarge;
}
