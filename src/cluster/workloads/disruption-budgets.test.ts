import { afterEach, expect, test } from 'vitest';
import { type Body, startWorkloadClusterWith, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

test('the status of a budget is written after writes that failed twice with the same error', async () => {
  const target = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  let failures = 0;
  running = await startWorkloadClusterWith((api) => async (request) => {
    const isStatus = request.method === 'PUT' && request.target === `${target}/web/status`;
    const isFailure = isStatus && new TextDecoder().decode(request.body as Uint8Array).includes('SyncFailed');
    if (!isStatus || isFailure || failures++ >= 2) return api(request);
    return { status: 500, headers: [], body: 'internal error' };
  });
  const { send, until } = running;
  await send('POST', target, { metadata: { name: 'web' }, spec: { minAvailable: 0, selector: { matchLabels: { app: 'web' } } } });
  const { status } = await until(`${target}/web`, (budget) => JSON.stringify(budget).includes('InsufficientPods'));
  expect((status as Body)['observedGeneration']).toBe(1);
  expect(failures).toBe(3);
});
