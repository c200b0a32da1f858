import { afterEach, expect, test } from 'vitest';
import { startElected } from '../../client/index.ts';
import { bodyOf, passTime, startTestCluster, type TestCluster } from '../../cluster/test-cluster.test-support.ts';
import { productByName } from '../../meta/index.ts';
import { startControllers } from '../index.ts';

let cluster: TestCluster;
afterEach(() => cluster.close());

/** Starts the controllers of one server; returns the paths of its requests and a function that stops them. */
function startServer(identity: string): { readonly targets: readonly string[]; readonly stop: () => void } {
  const targets: string[] = [];
  const { clock, log } = cluster;
  const stop = startElected(
    startControllers,
    {
      api: (request) => {
        targets.push(request.target);
        return cluster.adminApi(request);
      },
      clock,
      log,
      product: productByName('kubernetes'),
      rootAuthority: undefined,
      signSecretToken: () => Promise.reject(new Error('not used')),
    },
    { lease: 'kube-controller-manager', identity },
  );
  return { targets, stop };
}

const advance = (seconds: number): Promise<void> => passTime(cluster.clock, seconds);

test('one server runs the controllers, and another one after it has stopped', async () => {
  cluster = await startTestCluster();
  const lists = (targets: readonly string[]): number => targets.filter((target) => target === '/api/v1/namespaces?limit=500').length;
  const [first, second] = [startServer('a'), startServer('b')];
  await advance(20);
  expect([lists(first.targets), lists(second.targets)]).toEqual([1, 0]);
  const { spec } = bodyOf(await cluster.send('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager'));
  expect(spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15 });
  first.stop();
  await advance(20);
  const afterStop = first.targets.length;
  expect(lists(second.targets)).toBe(1);
  await cluster.send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  await advance(5);
  const account = bodyOf(await cluster.send('GET', '/api/v1/namespaces/shop/serviceaccounts/default'));
  expect(account['kind']).toBe('ServiceAccount');
  expect(first.targets.length).toBe(afterStop);
  second.stop();
});
