import { expect, test } from 'vitest';
import { Indexer } from './index.ts';

test('finds objects by key and by index', () => {
  const store = new Indexer<{ readonly name: string; readonly nodes: readonly string[] }>();
  store.set('a', { name: 'a', nodes: ['n1'] });
  store.addIndex('node', ({ nodes }) => nodes);
  store.set('b', { name: 'b', nodes: ['n1', 'n2'] });
  const onNode = (node: string): readonly string[] => store.byIndex('node', node).map(({ name }) => name);
  expect([onNode('n1'), onNode('n2'), onNode('n3')]).toEqual([['a', 'b'], ['b'], []]);
  expect(store.set('b', { name: 'b', nodes: ['n2'] })?.nodes).toEqual(['n1', 'n2']);
  expect([onNode('n1'), onNode('n2')]).toEqual([['a'], ['b']]);
  expect(store.delete('a')?.name).toBe('a');
  expect(store.delete('a')).toBeUndefined();
  expect([onNode('n1'), store.list().length, store.has('a'), [...store.keys()]]).toEqual([[], 1, false, ['b']]);
  expect([store.hasIndex('node'), store.hasIndex('zone')]).toEqual([true, false]);
  expect(() => store.byIndex('zone', 'z')).toThrow('unknown index zone');
});

test('an index that exists is not made again', () => {
  const store = new Indexer<{ readonly name: string }>();
  store.set('a', { name: 'a' });
  store.ensureIndex('name', ({ name }) => [name]);
  store.ensureIndex('name', () => []);
  expect(store.byIndex('name', 'a')).toHaveLength(1);
});
