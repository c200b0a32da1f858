import type { ApiHandler, ApiRequest, Product } from '../meta/index.ts';
import { bootstrapObjects } from './bootstrap-objects.ts';

/** Makes what a new cluster starts with; what is there already stays as it is. */
export async function bootstrap(handle: ApiHandler, token: string, product: Product): Promise<void> {
  for (const { collection, object } of bootstrapObjects(product)) {
    const answer = await handle(createRequest(collection, object, token, product));
    if (answer.status !== 201 && answer.status !== 409)
      throw new Error(`cannot create ${collection}: ${answer.status} ${String(answer.body)}`);
  }
}

function createRequest(collection: string, object: object, token: string, product: Product): ApiRequest {
  return {
    method: 'POST',
    target: collection,
    headers: new Headers({
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      // The manager of the fields is who wrote them.
      'user-agent': `${product.rename('kube-apiserver')}/v1`,
    }),
    body: new TextEncoder().encode(JSON.stringify(object)),
    signal: new AbortController().signal,
  };
}
