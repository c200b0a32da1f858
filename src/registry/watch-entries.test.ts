import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../env/index.ts';
import { createMemoryKeySpace, type KeySpace, KeySpaceError, type WatchQuery } from '../storage/index.ts';
import { watchEntries } from './watch-entries.ts';

test('lists again after a watch error, and delivers keys that were deleted meanwhile', async () => {
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
  const delivered: string[] = [];
  const deliver = (entries: readonly { readonly key: string; readonly entry: unknown }[]): void => {
    delivered.push(entries.map(({ key, entry }) => (entry ? key : `-${key}`)).join(' '));
  };
  await watchEntries(breakable as KeySpace, '', deliver, createMemoryLog());
  await space.commit({ key: 'a', expected: 2, value: undefined });
  await space.commit({ key: 'c', expected: 'absent', value: '1' });
  watches[0]?.onError(new KeySpaceError('unavailable', 'lost'));
  await expect.poll(() => watches.length).toBe(2);
  expect([delivered, watches[1]?.after]).toEqual([['a b', '-a b c'], 5]);
});

test('delivers nothing after the end', async () => {
  const space = createMemoryKeySpace(createManualClock());
  const delivered: number[] = [];
  const end = await watchEntries(space, '', (entries) => delivered.push(entries.length), createMemoryLog());
  end();
  await space.commit({ key: 'a', expected: 'absent', value: '1' });
  await space.close();
  expect(delivered).toEqual([0]);
});
