import { afterEach, expect, test } from 'vitest';
import { allControllers } from '../controllers/all/index.ts';
import { startControllers } from '../controllers/index.ts';
import { bodyOf, startTestCluster, type TestCluster } from './test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

async function settle(): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await running.clock.advance(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('the status of a quota follows its limits and the objects of its namespace', async () => {
  const enabled = ['resourcequota-controller'];
  running = await startTestCluster({ controllers: (options) => startControllers(options, { available: allControllers, enabled }) });
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
