import { afterEach, expect, test } from 'vitest';
import { allControllers } from '../../controllers/all/index.ts';
import { startControllers } from '../index.ts';
import { bodyOf, passTime, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

async function startWith(...enabled: readonly string[]): Promise<TestCluster> {
  running = await startTestCluster({
    controllers: (options) => startControllers(options, { available: allControllers, enabled }),
    // Compactions every few minutes would take long in a year.
    retentionMs: Number.POSITIVE_INFINITY,
  });
  return running;
}

const dayMs = 24 * 3_600_000;

test('invalidates and deletes generated tokens that are not used', async () => {
  const { send, clock } = await startWith('legacy-serviceaccount-token-cleaner-controller');
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await send('POST', accounts, { metadata: { name: 'bot' }, secrets: [{ name: 'generated' }] });
  const annotations = { 'kubernetes.io/service-account.name': 'bot' };
  const secrets = '/api/v1/namespaces/default/secrets';
  for (const name of ['generated', 'manual']) {
    await send('POST', secrets, { metadata: { name, annotations }, type: 'kubernetes.io/service-account-token' });
  }
  const stateOf = async (name: string): Promise<unknown> => {
    const { metadata, reason } = bodyOf(await send('GET', `${secrets}/${name}`));
    return reason ?? (metadata as { readonly labels?: unknown }).labels;
  };
  // The loops of the server complete their first requests.
  await passTime(clock, 61);
  await clock.advance(360 * dayMs);
  expect(await stateOf('generated')).toBeUndefined();
  const next = async (): Promise<unknown> => {
    await clock.advance(dayMs);
    return stateOf('generated');
  };
  await expect.poll(next).toMatchObject({ 'kubernetes.io/legacy-token-invalid-since': expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) });
  const labels = { 'kubernetes.io/legacy-token-invalid-since': '2000-01-01' };
  await send('PATCH', `${secrets}/generated`, { metadata: { labels } }, { 'content-type': 'application/merge-patch+json' });
  await expect.poll(next).toBe('NotFound');
  expect(await stateOf('manual')).toBeUndefined();
});

test('protects a VolumeAttributesClass while a claim refers to it', async () => {
  const { send } = await startWith('volumeattributesclass-protection-controller', 'persistentvolumeclaim-protection-controller');
  const classes = '/apis/storage.k8s.io/v1/volumeattributesclasses';
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  await send('POST', classes, { metadata: { name: 'gold' }, driverName: 'csi.example.com', parameters: { iops: '100' } });
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeAttributesClassName: 'gold' };
  expect((await send('POST', claims, { metadata: { name: 'data' }, spec })).status).toBe(201);
  await send('DELETE', `${classes}/gold`);
  await running.clock.advance(5_000);
  const { metadata } = bodyOf(await send('GET', `${classes}/gold`));
  expect(metadata).toMatchObject({ finalizers: ['kubernetes.io/vac-protection'], deletionTimestamp: expect.any(String) });
  await send('DELETE', `${claims}/data`);
  await expect.poll(async () => (await send('GET', `${classes}/gold`)).status).toBe(404);
});
