import { openMemoryCluster } from '../../../src/hosts/browser/open-cluster.ts';
import type { ApiHandler, ProductName } from '../../../src/meta/index.ts';

/** The same core in this process, without a browser: the worker is expected to pass the same scenarios. */
export async function createClusterInNode(names: ProductName): Promise<ApiHandler> {
  return (await openMemoryCluster({ names, folder: '/', controllers: 'none' })).handle;
}
