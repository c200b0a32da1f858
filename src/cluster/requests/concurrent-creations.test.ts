import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { createMemoryKeySpace, type TimedKeySpace } from '../../storage/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

test('creates an object by the first of concurrent applies, and updates it by the others', async () => {
  const { send } = await startTestCluster();
  const apply = (manager: string) =>
    send(
      'PATCH',
      `/api/v1/namespaces/default/configmaps/a?fieldManager=${manager}`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { [manager]: 'x' } },
      { 'content-type': 'application/apply-patch+yaml' },
    );
  const answers = await Promise.all(['one', 'two', 'three'].map(apply));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  const made = bodyOf(await send('GET', '/api/v1/namespaces/default/configmaps/a'));
  expect(made['data']).toEqual({ one: 'x', two: 'x', three: 'x' });
});

/** A store in which another client creates `key` just before its first creation, and deletes it just after. */
function withShortLived(key: string): TimedKeySpace {
  const space = createMemoryKeySpace(createManualClock());
  const commit = space.commit.bind(space);
  space.commit = async (write) => {
    if (write.key !== key) return commit(write);
    space.commit = commit;
    const { revision } = await commit(write);
    try {
      return await commit(write);
    } finally {
      await commit({ key, expected: revision, value: undefined });
    }
  };
  return space;
}

test('creates an object by an apply when another client has created and deleted it meanwhile', async () => {
  const { send } = await startTestCluster({ storage: withShortLived('/registry/configmaps/default/a') });
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
  const target = '/api/v1/namespaces/default/configmaps/a';
  const answer = await send('PATCH', `${target}?fieldManager=one`, body, { 'content-type': 'application/apply-patch+yaml' });
  expect(answer.status).toBe(201);
  expect(bodyOf(await send('GET', target))['data']).toEqual({ k: 'v' });
});

test('answers one of concurrent creations with 201 and the others with 409 AlreadyExists', async () => {
  const { send } = await startTestCluster();
  const create = () => send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  const answers = await Promise.all([create(), create(), create()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});
