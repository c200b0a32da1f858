import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { createMemoryKeySpace, KeySpaceError } from '../../storage/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

test("rejects writes to a full store with the real server's error, and accepts deletes", async () => {
  const storage = createMemoryKeySpace(createManualClock());
  const commit = storage.commit.bind(storage);
  let isFull = false;
  storage.commit = async (write) => {
    if (isFull && write.value !== undefined) throw new KeySpaceError('out-of-space', 'full');
    return commit(write);
  };
  const { send } = await startTestCluster({ storage });
  const maps = '/api/v1/namespaces/default/configmaps';
  const pods = '/api/v1/namespaces/default/pods';
  await send('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });
  await send('POST', pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  isFull = true;
  const refused = await send('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } });
  expect([refused.status, bodyOf(refused)['message']]).toEqual([500, 'etcdserver: mvcc: database space exceeded']);
  expect((await send('GET', `${maps}/b`)).status).toBe(404);
  expect((await send('DELETE', `${maps}/a`)).status).toBe(200);
  expect((await send('DELETE', `${pods}/p?gracePeriodSeconds=0`)).status).toBe(200);
  expect((await send('GET', `${pods}/p`)).status).toBe(404);
});
