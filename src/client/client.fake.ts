import type { ApiHandler, ApiRequest, ApiResponse, ResponseBody } from '../meta/index.ts';

/** An ApiRequest with defaults. */
export function request(method: string, target: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method, target, headers: new Headers(), body: undefined, signal: new AbortController().signal, ...more };
}

export function answer(status: number, body: ResponseBody): ApiResponse {
  return { status, headers: [['content-type', 'application/json']], body };
}

/** An API whose n-th request gets the n-th response of the script. Records the requests. */
export function createScriptedApi(script: readonly (ApiResponse | Error)[]): {
  readonly handle: ApiHandler;
  readonly requests: ApiRequest[];
} {
  const requests: ApiRequest[] = [];
  const handle: ApiHandler = (request) => {
    const next = script[requests.length];
    requests.push(request);
    // After the last response, requests stay pending until the caller aborts.
    if (next === undefined)
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  return { handle, requests };
}

export async function* stream(...chunks: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}
