import type { ApiRequest, Product } from '../meta/index.ts';

/** What the server asks of itself. */
export type OwnRequest =
  | { readonly method: 'GET'; readonly target: string; readonly object?: undefined }
  | { readonly method: 'POST' | 'APPLY' | 'MERGE'; readonly target: string; readonly object: object };

const mediaTypes = { APPLY: 'application/apply-patch+yaml', MERGE: 'application/merge-patch+json', POST: 'application/json' } as const;

/** A request of the server to itself, under its own token and name: the manager of the fields is who wrote them. */
export function ownRequest({ method, target, object }: OwnRequest, token: string, product: Product): ApiRequest {
  return {
    method: method === 'APPLY' || method === 'MERGE' ? 'PATCH' : method,
    target,
    headers: new Headers({
      authorization: `Bearer ${token}`,
      ...(method === 'GET' ? {} : { 'content-type': mediaTypes[method] }),
      accept: 'application/json',
      'user-agent': `${product.rename('kube-apiserver')}/v1`,
    }),
    body: object && new TextEncoder().encode(JSON.stringify(object)),
    signal: new AbortController().signal,
  };
}
