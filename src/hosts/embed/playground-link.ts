import { isSecret, toServedVersions, userObjects, writeLink } from '../../console/share/index.ts';
import { ApiClient } from '../../kubectl/index.ts';
import type { Product } from '../../meta/index.ts';
import { createBrowserEnv } from '../browser/browser-env.ts';
import type { RunningCluster } from '../browser/running-cluster.ts';
import { adminToken } from '../browser/users.ts';

export interface SharedStory {
  readonly cluster: RunningCluster;
  readonly product: Product;
  /** The content of the cluster before the first example. */
  readonly initial: Awaited<ReturnType<RunningCluster['copy']>>;
}

/** The payload of a link that opens the objects of a story in the playground, without its Secrets. */
export async function linkPayload({ cluster, product, initial }: SharedStory): Promise<string> {
  const client = new ApiClient({
    server: 'https://cluster.local',
    handler: cluster.handle,
    headers: { authorization: `Bearer ${adminToken}` },
    impersonatedGroups: [],
    clock: createBrowserEnv().clock,
    signal: new AbortController().signal,
    timeout: undefined,
    onWarning: () => undefined,
    onRequest: () => undefined,
    rename: (text) => product.rename(text),
  });
  const objects = userObjects(await cluster.copy(), initial).filter((object) => !isSecret(object));
  return writeLink({ name: '', names: product.name, objects: await toServedVersions(client, objects) });
}
