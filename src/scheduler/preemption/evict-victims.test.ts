import { expect, test } from 'vitest';
import { ApiClient } from '../../client/index.ts';
import { productByName } from '../../meta/index.ts';
import { testHandle } from '../plugins/test-handle.test-support.ts';
import { NominatedPods } from '../queue/nominated-pods.ts';
import { testCache, testNode, testPod } from '../testing.test-support.ts';
import { evictVictims } from './evict-victims.ts';

test('deletes the victims although the nomination of another pod cannot be cleared', async () => {
  const requests: string[] = [];
  const client = new ApiClient({
    api: ({ method, target }) => {
      requests.push(`${method} ${target}`);
      const status = target.includes('/nominated') ? 404 : 200;
      return Promise.resolve({ status, headers: [], body: '{}' });
    },
    product: productByName('kubernetes'),
    signal: new AbortController().signal,
  });
  const nominator = new NominatedPods();
  nominator.add(testPod({ name: 'nominated', priority: 1, status: { nominatedNodeName: 'a' } }));
  const handle = { ...testHandle(testCache([testNode('a')])), client, nominator };
  const victims = [testPod({ name: 'first' }), testPod({ name: 'second' })];
  const candidate = { node: 'a', victims, violations: 0 };
  await evictVictims(handle, { preemptor: testPod({ name: 'preemptor', priority: 2 }), candidate }, () => requests.push('last'));
  const pods = '/api/v1/namespaces/default/pods';
  expect(requests).toEqual([
    `PATCH ${pods}/nominated/status`,
    `PATCH ${pods}/first/status`,
    `DELETE ${pods}/first`,
    'last',
    `PATCH ${pods}/second/status`,
    `DELETE ${pods}/second`,
  ]);
});
