import { openMemoryCluster } from '../../../src/hosts/browser/open-cluster.ts';
import type { ApiHandler, ProductName } from '../../../src/meta/index.ts';

/** The same core in this process, without a browser around it: what it cannot do, the worker cannot either. */
export async function clusterHere(names: ProductName): Promise<ApiHandler> {
  return (await openMemoryCluster({ names, folder: '/', controllers: 'none' })).handle;
}
