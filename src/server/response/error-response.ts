import type { AuditRecord } from '../../audit/index.ts';
import { negotiate } from '../../codec/index.ts';
import { type ApiRequest, type ApiResponse, internalError, StatusError, toStatus } from '../../meta/index.ts';
import { toStatusError } from '../../registry/index.ts';
import { DeadlineExceeded } from '../limits/deadlines.ts';
import { TooManyRequests } from '../limits/in-flight.ts';
import { pageNotFound } from '../paths/serve-path.ts';
import { UnknownPath } from '../route.ts';
import type { ServerDependencies } from '../server-dependencies.ts';
import { answerInternalFailure, InternalFailure } from './internal-failure.ts';
import { respondError } from './respond.ts';

export interface ErrorContext {
  readonly query: URLSearchParams;
  /** Media types that the error response may have. */
  readonly mediaTypes: readonly string[];
  readonly audit: AuditRecord;
}

/** The response for an error; unexpected errors are logged. */
export function errorResponse(
  cause: unknown,
  server: ServerDependencies,
  request: ApiRequest,
  { query, mediaTypes, audit }: ErrorContext,
): ApiResponse {
  // An unavailable store is no bug, wherever it was accessed.
  const error = toStatusError(cause);
  if (error instanceof UnknownPath) return pageNotFound();
  if (error instanceof DeadlineExceeded || error instanceof TooManyRequests) return error.response;
  if (error instanceof InternalFailure) return answerInternalFailure(error, request.target);
  const known = error instanceof StatusError;
  // Any other error is a bug: its cause goes to the log, not to the client.
  if (!known) server.env.log.error('request failed', { method: request.method, target: request.target, error });
  else if (error.code >= 500 && error.cause !== undefined)
    server.env.log.warn('request refused', { method: request.method, target: request.target, error });
  const status = known ? error : internalError('unexpected error, see the log', error);
  // A client that accepts no supported media type gets a plain text, which the audit log does not record.
  if (audit.isEnabled && negotiate(request.headers.get('accept') ?? '', mediaTypes, () => false)) audit.logResponseStatus(toStatus(status));
  return respondError(request, query, status, mediaTypes, server.protobuf.encode);
}
