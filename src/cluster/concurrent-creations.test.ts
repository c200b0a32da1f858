import { expect, test } from 'vitest';
import { bodyOf, runningCluster } from './running.test-support.ts';

test('of applies that make one object together the first creates it and the others change it', async () => {
  const { send } = await runningCluster();
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

test('of creations that come together one is answered and the others are told that it exists', async () => {
  const { send } = await runningCluster();
  const create = () => send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  const answers = await Promise.all([create(), create(), create()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});
