import { afterEach, expect, test } from 'vitest';
import { allControllers } from '../../controllers/all/index.ts';
import { startControllers } from '../../controllers/index.ts';
import { productByName } from '../../meta/index.ts';
import { bodyOf, passTime, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';
import { startWorkloadCluster } from '../workloads/workload.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const settle = (): Promise<void> => passTime(running.clock, 2);

test('the status of a quota follows its limits and the objects of its namespace', async () => {
  running = await startWorkloadCluster('resourcequota-controller');
  const { send } = running;
  const base = '/api/v1/namespaces/default';
  const quota = `${base}/resourcequotas/q`;
  const statusOf = async () => bodyOf(await send('GET', quota))['status'];
  await send('POST', `${base}/resourcequotas`, {
    metadata: { name: 'q' },
    spec: { hard: { configmaps: '5', 'count/leases.coordination.k8s.io': '1' } },
  });
  await settle();
  const none = { configmaps: '0', 'count/leases.coordination.k8s.io': '0' };
  expect(await statusOf()).toEqual({ hard: { configmaps: '5', 'count/leases.coordination.k8s.io': '1' }, used: none });
  await send('POST', `${base}/configmaps`, { metadata: { name: 'a' } });
  await settle();
  expect(await statusOf()).toMatchObject({ used: { configmaps: '1' } });
  const patch = { spec: { hard: { configmaps: '2', 'count/leases.coordination.k8s.io': null } } };
  await send('PATCH', quota, patch, { 'content-type': 'application/merge-patch+json' });
  await send('DELETE', `${base}/configmaps/a`);
  await settle();
  expect(await statusOf()).toEqual({ hard: { configmaps: '2' }, used: { configmaps: '0' } });
});

test('quotas that are reconciled at the same time count their resources, with one watch for each', async () => {
  running = await startTestCluster();
  const { adminApi, clock, log, send } = running;
  const quotas = '/api/v1/namespaces/default/resourcequotas';
  const limits = { a: 'configmaps', b: 'count/leases.coordination.k8s.io', c: 'configmaps', d: 'count/deployments.apps' };
  for (const [name, resource] of Object.entries(limits)) {
    await send('POST', quotas, { metadata: { name }, spec: { hard: { [resource]: '5' } } });
  }
  const watched: string[] = [];
  const stop = startControllers(
    {
      api: (request) => {
        if (request.target.includes('watch=')) watched.push(request.target.replace(/\?.*/, ''));
        return adminApi(request);
      },
      clock,
      log,
      product: productByName('kubernetes'),
      rootAuthority: undefined,
      signSecretToken: () => Promise.reject(new Error('not used')),
    },
    { available: allControllers, enabled: ['resourcequota-controller'] },
  );
  await settle();
  for (const [name, resource] of Object.entries(limits)) {
    expect(bodyOf(await send('GET', `${quotas}/${name}`))['status']).toEqual({ hard: { [resource]: '5' }, used: { [resource]: '0' } });
  }
  expect(watched.toSorted()).toEqual([...new Set(watched)].toSorted());
  stop();
});

test('a quota is calculated although it counts a resource that is not served', async () => {
  running = await startTestCluster({
    runtimeConfig: new Map([['resource.k8s.io/v1', 'false']]),
    controllers: (options) => startControllers(options, { available: allControllers, enabled: ['resourcequota-controller'] }),
  });
  const quotas = '/api/v1/namespaces/default/resourcequotas';
  const hard = { configmaps: '5', 'count/resourceclaims.resource.k8s.io': '1' };
  await running.send('POST', quotas, { metadata: { name: 'q' }, spec: { hard } });
  await settle();
  expect(bodyOf(await running.send('GET', `${quotas}/q`))['status']).toEqual({ hard, used: { configmaps: '0' } });
});
