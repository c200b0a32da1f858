import type { ApiHandler, ApiRequest, Product } from '../meta/index.ts';
import { bootstrapObjects } from './bootstrap-objects.ts';

/** Makes what a new cluster starts with; what is there already stays as it is. */
export async function bootstrap(handle: ApiHandler, token: string, product: Product): Promise<void> {
  for (const { collection, object } of bootstrapObjects(product)) {
    const { name } = object['metadata'] as { readonly name: string };
    const there = await handle(requestOf('GET', `${collection}/${name}`, undefined, token, product));
    if (there.status === 200) continue;
    const made = await handle(requestOf('POST', collection, object, token, product));
    // Another server on the same store may have been faster.
    if (made.status === 201 || made.status === 409) continue;
    throw new Error(`cannot create ${collection}/${name}: ${made.status} ${String(made.body)}`);
  }
}

function requestOf(method: string, target: string, object: object | undefined, token: string, product: Product): ApiRequest {
  return {
    method,
    target,
    headers: new Headers({
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      // The manager of the fields is who wrote them.
      'user-agent': `${product.rename('kube-apiserver')}/v1`,
    }),
    body: object && new TextEncoder().encode(JSON.stringify(object)),
    signal: new AbortController().signal,
  };
}
