import { type ApiRequest, headersOf } from '../meta/index.ts';

/** A write with a JSON body; APPLY is a server-side apply. */
export function requestOf(method: 'PUT' | 'POST' | 'DELETE' | 'APPLY', target: string, body: object, signal: AbortSignal): ApiRequest {
  const isApply = method === 'APPLY';
  const headers = headersOf([
    ['accept', 'application/json'],
    ['content-type', isApply ? 'application/apply-patch+yaml' : 'application/json'],
  ]);
  return { method: isApply ? 'PATCH' : method, target, headers, body: new TextEncoder().encode(JSON.stringify(body)), signal };
}
