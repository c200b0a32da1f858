import type { Log } from '../env/index.ts';
import { getOrAdd, type Product } from '../meta/index.ts';
import { createDescribeColumn, createDescribeType, type DescribeColumn, type DescribeType, type DescriptionData } from '../schema/index.ts';

export interface DescriptionLoader {
  readonly loadDescribeType: () => Promise<DescribeType>;
  readonly loadDescribeColumn: () => Promise<DescribeColumn>;
}

/**
 * Loads the descriptions on first use. A failure is logged and the next call tries again: until then nothing has a description, since
 * clients need the rest of OpenAPI to validate objects, and that of tables to print them.
 */
export function createDescriptionLoader(load: () => Promise<DescriptionData>, product: Product, log: Log): DescriptionLoader {
  let loading: Promise<DescriptionData> | undefined;
  const loadData = (): Promise<DescriptionData> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      log.warn('the descriptions of types and columns cannot be loaded', { error });
      return {};
    });
    return loading;
  };
  const describeTypes = new WeakMap<DescriptionData, DescribeType>();
  return {
    async loadDescribeType() {
      const data = await loadData();
      return getOrAdd(describeTypes, data, () => createDescribeType(data, product));
    },
    loadDescribeColumn: async () => createDescribeColumn(await loadData(), product),
  };
}
