import { expect, test } from 'vitest';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';

test('accepts the core group with a leading slash', async () => {
  const { send } = await startTestCluster();
  const sent = { apiVersion: '/v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  expect(bodyOf(await send('POST', maps, sent))).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  expect((await send('POST', maps, { ...sent, apiVersion: '/v2' })).status).toBe(400);
});

test('quotes an unknown field as Go does', async () => {
  const { send } = await startTestCluster();
  const { headers } = await send('POST', maps, { metadata: { name: 'a' }, '\u0000\u2028': 1 });
  expect(headers.find(([name]) => name.toLowerCase() === 'warning')?.[1]).toBe('299 - "unknown field \\"\\\\x00\\\\u2028\\""');
});

test('treats huge limits as no limit', async () => {
  const { send } = await startTestCluster();
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const createPod = (amount: string) => {
    const resources = { limits: { cpu: '1', 'hugepages-2Mi': amount } };
    return send('POST', '/api/v1/namespaces/default/pods?dryRun=All', {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i', resources }] },
    });
  };
  expect((await createPod('0')).status).toBe(201);
  expect((await createPod('4Mi')).status).toBe(201);
  expect(bodyOf(await createPod('3Mi'))['message']).toContain('3Mi is not positive integer multiple of hugepages-2Mi');
});
