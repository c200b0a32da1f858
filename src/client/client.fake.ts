import type { ApiHandler, ApiRequest, ApiResponse, ResponseBody } from '../meta/index.ts';

/** A request as tests write it. */
export function request(method: string, target: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method, target, headers: new Headers(), body: undefined, signal: new AbortController().signal, ...more };
}

export function answer(status: number, body: ResponseBody): ApiResponse {
  return { status, headers: [['content-type', 'application/json']], body };
}

/** A cluster that answers from a script, one entry a request, and keeps what it was asked. */
export function scripted(script: readonly (ApiResponse | Error)[]): { readonly handle: ApiHandler; readonly asked: ApiRequest[] } {
  const asked: ApiRequest[] = [];
  const handle: ApiHandler = (request) => {
    const next = script[asked.length];
    asked.push(request);
    // Past its end the script is silent until the caller goes.
    if (next === undefined)
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  return { handle, asked };
}

export async function* stream(...chunks: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}
