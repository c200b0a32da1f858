import { expect, test } from 'vitest';
import { bodyOf, runningCluster } from './running.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';

test('a version or uid in the query of a deletion is a precondition', async () => {
  const { send } = await runningCluster();
  await send('POST', maps, { metadata: { name: 'a' } });
  const statuses = [];
  for (const query of ['resourceVersion=1', 'uid=x', 'resourceVersion='])
    statuses.push((await send('DELETE', `${maps}/a?${query}`)).status);
  expect(statuses).toEqual([409, 409, 200]);
});

test('a namespace whose dependents are not orphaned waits for them', async () => {
  const { send } = await runningCluster();
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
  const deleted = bodyOf(await send('DELETE', '/api/v1/namespaces/n?orphanDependents=false'));
  expect(deleted).toMatchObject({ metadata: { finalizers: ['foregroundDeletion'] }, status: { phase: 'Terminating' } });
});
