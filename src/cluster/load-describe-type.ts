import type { Log } from '../env/index.ts';
import type { Product } from '../meta/index.ts';
import { createDescribeType, type DescribeType, type DescriptionData } from '../schema/index.ts';

/**
 * Loads the descriptions on first use. A failure is logged and the next call tries again: until then types have no descriptions, since
 * clients need the rest of OpenAPI to validate objects.
 */
export function createDescribeTypeLoader(load: () => Promise<DescriptionData>, product: Product, log: Log): () => Promise<DescribeType> {
  let loading: Promise<DescribeType> | undefined;
  return () => {
    loading ??= load().then(
      (data) => createDescribeType(data, product),
      (error: unknown) => {
        loading = undefined;
        log.warn('the descriptions of OpenAPI documents cannot be loaded', { error });
        return () => undefined;
      },
    );
    return loading;
  };
}
