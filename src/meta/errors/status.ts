import { goQuote } from '../json/go-quote.ts';
import { isPathSegmentName } from '../names/path-segment.ts';
import { aggregateErrors } from './aggregate-errors.ts';
import { type FieldError, fieldErrorTexts, maxErrorTextLength } from './field-error.ts';

/** Machine-readable reason of a failure (part 7). Absent for errors without a reason. */
export type StatusReason =
  | ''
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'StoreReadError'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable';

/** The result of a request (kind Status, core v1). */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The kind or, more often, the resource. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The name of a resource or kind in an error. */
export interface GroupResource {
  readonly group: string;
  /** The plural resource, or the kind. */
  readonly name: string;
}

/** The only error that becomes a response. Any other error is a bug: 500, with the cause in the log. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: StatusReason;
  readonly details: StatusDetails | undefined;
  /** The token for an inconsistent continuation of an expired list. */
  readonly continueToken: string | undefined;

  constructor(code: number, reason: StatusReason, message: string, details?: StatusDetails, cause?: unknown, continueToken?: string) {
    super(message, { cause });
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continueToken = continueToken;
  }
}

export function toStatus({ code, reason, message, details, continueToken }: StatusError): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: continueToken === undefined ? {} : { continue: continueToken },
    status: 'Failure',
    ...(message !== '' ? { message } : {}),
    ...(reason !== '' ? { reason } : {}),
    ...(details ? { details } : {}),
    code,
  };
}

const qualified = ({ group, name }: GroupResource): string => (group === '' ? name : `${name}.${group}`);
const detailsOf = ({ group, name: kind }: GroupResource, name: string): StatusDetails => ({
  ...(name !== '' ? { name } : {}),
  ...(group !== '' ? { group } : {}),
  kind,
});

export function notFound(of: GroupResource, name: string): StatusError {
  return new StatusError(404, 'NotFound', `${qualified(of)} ${goQuote(name)} not found`, detailsOf(of, name));
}

/** For a URL that matches no resource. */
export function resourceNotFound(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(of: GroupResource, name: string): StatusError {
  return new StatusError(409, 'AlreadyExists', `${qualified(of)} ${goQuote(name)} already exists`, detailsOf(of, name));
}

export function conflict(of: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(of)} ${goQuote(name)}: ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(of, name));
}

export const optimisticLockError = 'the object has been modified; please apply your changes to the latest version and try again';

export function forbidden(of: GroupResource, name: string, why: string): StatusError {
  const subject = name === '' ? qualified(of) : `${qualified(of)} ${goQuote(name)}`;
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${why}`, detailsOf(of, name));
}

export function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized');
}

export function badRequest(message: string, cause?: unknown): StatusError {
  return new StatusError(400, 'BadRequest', message, undefined, cause);
}

export function methodNotAllowed(): StatusError {
  return new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** A server error that the real server returns without a reason. */
export function internalError(message: string, cause?: unknown): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }, cause);
}

/** Limits the errors listed in a response; a final error reports that there are more. */
function limitErrors(errors: readonly FieldError[]): readonly FieldError[] {
  let length = 0;
  const end = errors.findIndex(({ field, message }) => {
    length += field.length + message.length;
    return length > maxErrorTextLength;
  });
  const count = Math.max(end, 1);
  if (end < 0 || count === errors.length) return errors;
  return [
    ...errors.slice(0, count),
    { reason: 'FieldValueInvalid', field: '<nil>', message: `Too many errors: only the first ${count} are listed` },
  ];
}

/** 422 with the field errors as causes. `of.name` is the kind. */
export function invalidObject(of: GroupResource, name: string, all: readonly FieldError[]): StatusError {
  const errors = limitErrors(all);
  const text = aggregateErrors(fieldErrorTexts(errors));
  const details = { ...detailsOf(of, name), causes: errors.map(({ reason, message, field }) => ({ reason, message, field })) };
  return new StatusError(422, 'Invalid', `${qualified(of)} ${goQuote(name)} is invalid: ${text}`, details);
}

export function resourceExpired(message: string, continueToken?: string): StatusError {
  return new StatusError(410, 'Expired', message, undefined, undefined, continueToken);
}

/** Requires a name under which an object can be stored (upstream NamespaceKeyFunc). @throws StatusError 400 */
export function requireObjectName(name: string): void {
  if (name === '') throw badRequest('Name parameter required.');
  const wrong = isPathSegmentName(name);
  if (wrong.length > 0) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${wrong.join(';')}`);
}

/** 504 for a resourceVersion that the store did not reach in time (part 4.4). */
export function tooLargeResourceVersion(requested: number, current: number, retryAfterSeconds?: number): StatusError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
