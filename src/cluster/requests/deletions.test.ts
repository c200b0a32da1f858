import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';

test('treats resourceVersion and uid in the query of a deletion as preconditions', async () => {
  const { send } = await startTestCluster();
  await send('POST', maps, { metadata: { name: 'a' } });
  const statuses = [];
  for (const query of ['resourceVersion=1', 'uid=x', 'resourceVersion='])
    statuses.push((await send('DELETE', `${maps}/a?${query}`)).status);
  expect(statuses).toEqual([409, 409, 200]);
});

test('waits for the dependents of a namespace unless they are orphaned', async () => {
  const { send } = await startTestCluster();
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
  const deleted = bodyOf(await send('DELETE', '/api/v1/namespaces/n?orphanDependents=false'));
  expect(deleted).toMatchObject({ metadata: { finalizers: ['foregroundDeletion'] }, status: { phase: 'Terminating' } });
});

test.each(['system-node-critical', 'system-cluster-critical'])('rejects the deletion of the priority class %s', async (name) => {
  const { send } = await startTestCluster();
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  for (const query of ['', '?dryRun=All']) {
    expect(bodyOf(await send('DELETE', `${classes}/${name}${query}`))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `priorityclasses.scheduling.k8s.io "${name}" is forbidden: this is a system priority class and cannot be deleted`,
      details: { name, group: 'scheduling.k8s.io', kind: 'priorityclasses' },
    });
  }
  expect((await send('GET', `${classes}/${name}`)).status).toBe(200);
  // The real server has this rule only for single deletions.
  expect((await send('DELETE', classes)).status).toBe(200);
  expect((await send('GET', `${classes}/${name}`)).status).toBe(404);
  expect((await send('DELETE', `${classes}/${name}`)).status).toBe(403);
});

test('answers 404 for a write with resourceVersion when the object is deleted between its read and its commit', async () => {
  const storage = createMemoryKeySpace(createManualClock());
  const { send } = await startTestCluster({ storage });
  const commit = storage.commit.bind(storage);
  const statuses = [];
  for (const method of ['PUT', 'DELETE']) {
    const made = bodyOf(await send('POST', maps, { metadata: { name: 'a' } }));
    const { resourceVersion } = made['metadata'] as { readonly resourceVersion: string };
    storage.commit = async (write) => {
      storage.commit = commit;
      await commit({ key: write.key, expected: write.expected, value: undefined });
      return commit(write);
    };
    const body = method === 'PUT' ? { metadata: { name: 'a', resourceVersion }, data: { k: 'v' } } : { preconditions: { resourceVersion } };
    statuses.push((await send(method, `${maps}/a`, body)).status);
  }
  expect(statuses).toEqual([404, 404]);
});
