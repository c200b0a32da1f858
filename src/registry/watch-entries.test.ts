import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../env/index.ts';
import { createMemoryKeySpace, type KeySpace, KeySpaceError, type WatchQuery } from '../storage/index.ts';
import { watchEntries } from './watch-entries.ts';

test('after a watch that broke, all that is there is told anew, and what went meanwhile', async () => {
  const space = createMemoryKeySpace(createManualClock());
  const watches: WatchQuery[] = [];
  const breakable: Pick<KeySpace, 'range' | 'watch'> = {
    range: (query) => space.range(query),
    async watch(query) {
      watches.push(query);
      return () => {};
    },
  };
  for (const key of ['a', 'b']) await space.commit({ key, expected: 'absent', value: '1' });
  const told: string[] = [];
  const tell = (entries: readonly { readonly key: string; readonly entry: unknown }[]): void => {
    told.push(entries.map(({ key, entry }) => (entry ? key : `-${key}`)).join(' '));
  };
  await watchEntries(breakable as KeySpace, '', tell, createMemoryLog());
  await space.commit({ key: 'a', expected: 2, value: undefined });
  await space.commit({ key: 'c', expected: 'absent', value: '1' });
  watches[0]?.onError(new KeySpaceError('unavailable', 'lost'));
  await expect.poll(() => watches.length).toBe(2);
  expect([told, watches[1]?.after]).toEqual([['a b', '-a b c'], 5]);
});

test('who has ended hears no more', async () => {
  const space = createMemoryKeySpace(createManualClock());
  const told: number[] = [];
  const end = await watchEntries(space, '', (entries) => told.push(entries.length), createMemoryLog());
  end();
  await space.commit({ key: 'a', expected: 'absent', value: '1' });
  await space.close();
  expect(told).toEqual([0]);
});
