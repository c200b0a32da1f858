import { allControllers } from '../controllers/all/index.ts';
import { startControllers } from '../controllers/index.ts';
import { bodyOf, startTestCluster, type TestCluster } from './test-cluster.test-support.ts';

export type Body = Record<string, unknown>;

/** A cluster in memory with all controllers. */
export interface WorkloadCluster extends TestCluster {
  /** Advances the clock until the response is as expected. */
  until(target: string, isDone: (body: Body) => boolean): Promise<Body>;
  /** Writes the status of a pod as a kubelet would when its containers are ready. */
  makeReady(pod: Body): Promise<void>;
}

export async function startWorkloadCluster(enabled: readonly string[] = ['*']): Promise<WorkloadCluster> {
  const cluster = await startTestCluster({
    controllers: (options) => startControllers(options, { available: allControllers, enabled }),
  });
  const until = async (target: string, isDone: (body: Body) => boolean): Promise<Body> => {
    for (let round = 0; round < 1_000; round++) {
      const body = bodyOf(await cluster.send('GET', target));
      if (isDone(body)) return body;
      await cluster.clock.advance(100);
      await cluster.clock.nextTurn();
    }
    throw new Error(`${target} did not become what it should: ${JSON.stringify(bodyOf(await cluster.send('GET', target)))}`);
  };
  const makeReady = async ({ metadata }: Body): Promise<void> => {
    const { namespace, name } = metadata as { readonly namespace: string; readonly name: string };
    const since = new Date(cluster.clock.nowMs()).toISOString();
    const conditions = [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: since }];
    const patchType = { 'content-type': 'application/merge-patch+json' };
    const target = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
    await cluster.send('PATCH', target, { status: { phase: 'Running', conditions } }, patchType);
  };
  await until('/api/v1/namespaces/default/serviceaccounts/default', ({ kind }) => kind !== 'Status');
  return { ...cluster, until, makeReady };
}

/** The items of a list. */
export function itemsOf(body: Body): readonly Body[] {
  return (body['items'] ?? []) as readonly Body[];
}
