import { type ApiHandler, type ApiRequest, createHeaders, type Product } from '../meta/index.ts';

/** A request of the loopback client. */
export type LoopbackRequest =
  | { readonly method: 'GET' | 'DELETE'; readonly target: string; readonly object?: undefined }
  | { readonly method: 'POST' | 'PUT' | 'APPLY' | 'MERGE'; readonly target: string; readonly object: object };

const patchTypes: Readonly<Record<string, string>> = { APPLY: 'application/apply-patch+yaml', MERGE: 'application/merge-patch+json' };

/** Creates a request of the loopback client. Its user agent becomes the field manager. */
export function createLoopbackRequest({ method, target, object }: LoopbackRequest, token: string, product: Product): ApiRequest {
  return {
    method: patchTypes[method] === undefined ? method : 'PATCH',
    target,
    headers: createHeaders([
      ['authorization', `Bearer ${token}`],
      ...(object === undefined ? [] : [['content-type', patchTypes[method] ?? 'application/json'] as const]),
      ['accept', 'application/json'],
      ['user-agent', `${product.rename('kube-apiserver')}/v1`],
    ]),
    body: object && new TextEncoder().encode(JSON.stringify(object)),
    signal: new AbortController().signal,
  };
}

/** The API for controllers: with all permissions, and the controller manager as field manager. */
export function createControllerManagerHandler(handle: ApiHandler, token: string, product: Product): ApiHandler {
  const identity = [
    ['authorization', `Bearer ${token}`],
    ['user-agent', `${product.rename('kube-controller-manager')}/v1`],
  ] as const;
  return (request) => handle({ ...request, headers: createHeaders([...request.headers, ...identity]) });
}
