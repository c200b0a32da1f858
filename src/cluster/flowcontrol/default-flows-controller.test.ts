import { afterEach, expect, test } from 'vitest';
import { passTime, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
const annotation = 'apf.kubernetes.io/autoupdate-spec';

const statusOf = async (path: string): Promise<number> => (await running.send('GET', path)).status;
const read = (path: string): Promise<Record<string, unknown>> => running.until(path, () => true);

test('flow schemas and priority levels of the server are restored after a minute', async () => {
  running = await startTestCluster();
  await running.send('DELETE', `${schemas}/service-accounts`);
  await running.send('DELETE', `${levels}/catch-all`);
  const before = await read(`${levels}/workload-low`);
  const merge = { 'content-type': 'application/merge-patch+json' };
  await running.send('PATCH', `${levels}/workload-low`, { spec: { limited: { nominalConcurrencyShares: 7 } } }, merge);
  const mine = { metadata: { annotations: { [annotation]: 'false' } }, spec: { limited: { nominalConcurrencyShares: 7 } } };
  await running.send('PATCH', `${levels}/workload-high`, mine, merge);
  const stray = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
  await running.create(levels, { metadata: { name: 'stray', annotations: { [annotation]: 'true' } }, spec: stray });
  await running.create(levels, { metadata: { name: 'own' }, spec: stray });
  expect(await statusOf(`${schemas}/service-accounts`)).toBe(404);

  await passTime(running.clock, 61);
  expect(await statusOf(`${schemas}/service-accounts`)).toBe(200);
  expect(await statusOf(`${levels}/catch-all`)).toBe(200);
  const restored = await read(`${levels}/workload-low`);
  expect(restored['spec']).toEqual(before['spec']);
  expect(restored['metadata']).toMatchObject({ generation: 3 });
  expect((await read(`${levels}/workload-high`))['spec']).toMatchObject({ limited: { nominalConcurrencyShares: 7 } });
  expect(await statusOf(`${levels}/stray`)).toBe(404);
  expect(await statusOf(`${levels}/own`)).toBe(200);

  const unchanged = await read(`${levels}/workload-low`);
  await passTime(running.clock, 61);
  expect(await read(`${levels}/workload-low`)).toEqual(unchanged);
});
