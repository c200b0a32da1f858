import { readText } from '../client/index.ts';
import { type ApiHandler, type ApiObject, type ApiRequest, isJsonObject, type JsonObject } from '../meta/index.ts';

/** A read. */
export function readOf(target: string, signal: AbortSignal, accept = 'application/json'): ApiRequest {
  return { method: 'GET', target, headers: new Headers({ accept }), body: undefined, signal };
}

const patchTypes = { APPLY: 'application/apply-patch+yaml', PATCH: 'application/strategic-merge-patch+json' } as const;

/** A write with a JSON body; APPLY is a server-side apply, PATCH a strategic merge. */
export function requestOf(
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

/** An answer that is not the one hoped for. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What comes back. @throws CallError unless it went well */
export async function called(api: ApiHandler, request: ApiRequest): Promise<JsonObject> {
  const { status, body } = await api(request);
  const value: unknown = JSON.parse((await readText(body)) || '{}');
  const object = isJsonObject(value) ? value : {};
  if (status < 300) return object;
  const { message } = object;
  throw new CallError(status, typeof message === 'string' ? message : `status ${status}`);
}

/** An object, or nothing where there is none. @throws CallError */
export async function found(api: ApiHandler, target: string, signal: AbortSignal): Promise<ApiObject | undefined> {
  try {
    return (await called(api, readOf(target, signal))) as unknown as ApiObject;
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * A write that may be too late: somebody else was faster, or what it is about is gone or going. The next change tells.
 * @throws CallError when nobody knows why
 */
export async function attempted(api: ApiHandler, request: ApiRequest): Promise<void> {
  try {
    await called(api, request);
  } catch (error) {
    if (error instanceof CallError && [403, 404, 409].includes(error.status)) return;
    throw error;
  }
}
