import { clusterDefaults, createCluster } from '../../../src/cluster/index.ts';
import { createBrowserEnv } from '../../../src/hosts/browser/index.ts';
import { pageUsers } from '../../../src/hosts/browser/users.ts';
import type { ApiHandler } from '../../../src/meta/index.ts';
import { type ProductName, productNamed } from '../../../src/meta/index.ts';
import { createMemoryKeySpace } from '../../../src/storage/index.ts';

/** The same core in this process, without a browser around it: what it cannot do, the worker cannot either. */
export async function clusterHere(names: ProductName): Promise<ApiHandler> {
  const env = createBrowserEnv();
  const storage = createMemoryKeySpace(env.clock);
  const cluster = await createCluster({ ...clusterDefaults, env, storage, product: productNamed(names), tokens: pageUsers });
  return cluster.handle;
}
