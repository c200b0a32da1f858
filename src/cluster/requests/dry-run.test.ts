import { expect, test } from 'vitest';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

test('shows fields in a dry run that only the storage drops', async () => {
  const { send } = await startTestCluster();
  const maps = '/api/v1/namespaces/default/configmaps';
  const map = { metadata: { name: 'a', selfLink: '/x' } };
  await send('POST', maps, map);
  expect(bodyOf(await send('PUT', `${maps}/a?dryRun=All`, map))).toMatchObject({ metadata: { selfLink: '/x' } });
  expect(bodyOf(await send('PUT', `${maps}/a`, map))).not.toHaveProperty('metadata.selfLink');
});
test('reports the name of a terminating object as taken, also in a dry run', async () => {
  const { send } = await startTestCluster();
  const maps = '/api/v1/namespaces/default/configmaps';
  const map = { metadata: { name: 'a', finalizers: ['example.com/hold'] } };
  await send('POST', maps, map);
  expect(bodyOf(await send('POST', `${maps}?dryRun=All`, map))).toMatchObject({ message: 'configmaps "a" already exists' });
  await send('DELETE', `${maps}/a`);
  for (const query of ['', '?dryRun=All']) {
    expect(bodyOf(await send('POST', maps + query, map))).toMatchObject({
      code: 409,
      message: 'object is being deleted: configmaps "a" already exists',
    });
  }
});
