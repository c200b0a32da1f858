import { isJsonObject, type JsonObject, recordAt, textAt } from '../../meta/index.ts';

/** An error response of the API server: its status code, and the fields of its Status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The status code of the response: 404. */
  readonly status: number;
  /** `NotFound`, `AlreadyExists`, `Conflict` and so on; empty when the body is no Status. */
  readonly reason: string;
  /** The details of the Status: name, group and kind of the object, and the causes. */
  readonly details: JsonObject;

  constructor(status: number, body: unknown) {
    const object = isJsonObject(body) ? body : {};
    super(textAt(object, 'message') || (typeof body === 'string' ? `${status} ${body}` : `status ${status}`));
    this.status = status;
    this.reason = textAt(object, 'reason');
    this.details = recordAt(object, 'details');
  }
}

/** Whether an error is a response with one of these status codes. */
export function hasStatus(error: unknown, ...codes: readonly number[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.status);
}
