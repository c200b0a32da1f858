import type { ApiRequest } from '../meta/index.ts';

/** A write with a JSON body. */
export function requestOf(method: 'PUT' | 'POST' | 'DELETE', target: string, body: object, signal: AbortSignal): ApiRequest {
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json' });
  return { method, target, headers, body: new TextEncoder().encode(JSON.stringify(body)), signal };
}
