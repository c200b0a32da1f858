import { readText } from '../client/index.ts';
import { type ApiHandler, type ApiObject, type ApiRequest, isJsonObject, type JsonObject } from '../meta/index.ts';

/** A GET request. */
export function getRequest(target: string, signal: AbortSignal, accept = 'application/json'): ApiRequest {
  return { method: 'GET', target, headers: new Headers({ accept }), body: undefined, signal };
}

const patchTypes = { APPLY: 'application/apply-patch+yaml', PATCH: 'application/strategic-merge-patch+json' } as const;

/** A write request with a JSON body; APPLY is a server-side apply, PATCH a strategic merge patch. */
export function writeRequest(
  method: 'PUT' | 'POST' | 'DELETE' | keyof typeof patchTypes,
  target: string,
  body: object,
  signal: AbortSignal,
): ApiRequest {
  const isPatch = method === 'APPLY' || method === 'PATCH';
  const headers = new Headers({
    accept: 'application/json',
    'content-type': isPatch ? patchTypes[method] : 'application/json',
  });
  return { method: isPatch ? 'PATCH' : method, target, headers, body: new TextEncoder().encode(JSON.stringify(body)), signal };
}

/** An error response of the API server. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends a request and returns the response object. @throws CallError for a status of 300 or more */
export async function callApi(api: ApiHandler, request: ApiRequest): Promise<JsonObject> {
  const { status, body } = await api(request);
  const value: unknown = JSON.parse((await readText(body)) || '{}');
  const object = isJsonObject(value) ? value : {};
  if (status < 300) return object;
  const { message } = object;
  throw new CallError(status, typeof message === 'string' ? message : `status ${status}`);
}

/** Gets an object; undefined for 404. @throws CallError */
export async function getOrUndefined(api: ApiHandler, target: string, signal: AbortSignal): Promise<ApiObject | undefined> {
  try {
    return (await callApi(api, getRequest(target, signal))) as unknown as ApiObject;
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Sends a write and ignores 403, 404 and 409: the object was changed, deleted or is terminating, and the next watch event triggers another
 * reconciliation.
 * @throws CallError for any other error
 */
export async function tryWrite(api: ApiHandler, request: ApiRequest): Promise<void> {
  try {
    await callApi(api, request);
  } catch (error) {
    if (error instanceof CallError && [403, 404, 409].includes(error.status)) return;
    throw error;
  }
}
