import { expect, test } from 'vitest';
import { testCache, testNode, testPod } from '../testing.test-support.ts';

const inZone = (name: string, zone: string) => testNode(name, { labels: { 'topology.kubernetes.io/zone': zone } });

test('lists nodes of the zones in turn', () => {
  const cache = testCache([inZone('a1', 'a'), inZone('a2', 'a'), inZone('b1', 'b'), testNode('c'), inZone('a3', 'a')]);
  expect(cache.list().map(({ name }) => name)).toEqual(['a1', 'b1', 'c', 'a2', 'a3']);
  cache.removeNode('a1');
  cache.setNode(inZone('c', 'b'));
  expect(cache.list().map(({ name }) => name)).toEqual(['a2', 'b1', 'a3', 'c']);
});

test('counts assumed pods until they are confirmed or forgotten', () => {
  const cache = testCache([testNode('a'), testNode('b')]);
  const [first, second] = [testPod({ name: 'first', requests: { cpu: '1' } }), testPod({ name: 'second', requests: { cpu: '2' } })];
  cache.assume(first, 'a');
  cache.assume(second, 'a');
  expect([cache.get('a')?.requested.milliCpu, cache.isAssumed(first)]).toEqual([3000, true]);
  cache.forget(second);
  cache.setPod(testPod({ name: 'first', requests: { cpu: '1' }, nodeName: 'a' }));
  expect([cache.get('a')?.requested.milliCpu, cache.isAssumed(first)]).toEqual([1000, false]);
  cache.forget(first);
  expect(cache.get('a')?.pods.size).toBe(1);
  cache.removePod(first.key);
  expect(cache.get('a')?.requested.milliCpu).toBe(0);
});

test('counts the pods of a node that is not known yet, or no longer', () => {
  const cache = testCache([]);
  cache.setPod(testPod({ requests: { cpu: '1' }, nodeName: 'late' }));
  expect([cache.get('late'), cache.list()]).toEqual([undefined, []]);
  cache.setNode(testNode('late'));
  expect(cache.get('late')?.requested.milliCpu).toBe(1000);
  cache.removeNode('late');
  expect([cache.get('late'), cache.list()]).toEqual([undefined, []]);
});
