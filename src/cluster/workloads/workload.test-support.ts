import { allControllers } from '../../controllers/all/index.ts';
import { startControllers } from '../../controllers/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import { type Body, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

export type { Body } from '../test-cluster.test-support.ts';

/** A cluster in memory with controllers. */
export interface WorkloadCluster extends TestCluster {
  /** Writes the status of a pod as a kubelet would when its containers are ready. */
  makeReady(pod: Body): Promise<void>;
}

/** Starts a cluster with the named controllers, or all, and with the default service account of pods. */
export function startWorkloadCluster(...enabled: readonly string[]): Promise<WorkloadCluster> {
  return startWorkloadClusterWith((api) => api, enabled);
}

/** Starts such a cluster, whose controllers have the API that `wrap` returns. */
export async function startWorkloadClusterWith(
  wrap: (api: ApiHandler) => ApiHandler,
  enabled: readonly string[] = [],
): Promise<WorkloadCluster> {
  const names = enabled.length === 0 ? ['*'] : ['serviceaccount-controller', ...enabled];
  const cluster = await startTestCluster({
    controllers: ({ accountApi, ...options }) => {
      const ofAccounts = accountApi && ((account: string) => wrap(accountApi(account)));
      const wrapped = { ...options, api: wrap(options.api), ...(ofAccounts ? { accountApi: ofAccounts } : {}) };
      return startControllers(wrapped, { available: allControllers, enabled: names });
    },
  });
  const makeReady = async ({ metadata }: Body): Promise<void> => {
    const { namespace, name } = metadata as { readonly namespace: string; readonly name: string };
    const since = new Date(cluster.clock.nowMs()).toISOString();
    const conditions = [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: since }];
    const patchType = { 'content-type': 'application/merge-patch+json' };
    const target = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
    await cluster.send('PATCH', target, { status: { phase: 'Running', conditions } }, patchType);
  };
  await cluster.until('/api/v1/namespaces/default/serviceaccounts/default', ({ kind }) => kind === 'ServiceAccount');
  return { ...cluster, makeReady };
}

/** The items of a list. */
export function itemsOf(body: Body): readonly Body[] {
  return (body['items'] ?? []) as readonly Body[];
}
