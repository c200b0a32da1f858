import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import type { Change } from '../key-space.ts';
import { createMemoryKeySpace } from './memory-key-space.ts';

test('a watcher is told before the writer goes on, and writes of one turn come as one batch', async () => {
  const space = createMemoryKeySpace(createManualClock());
  const batches: (readonly Change[])[] = [];
  await space.watch({ prefix: '/a/', after: 1, deliver: (changes) => batches.push(changes), failed: () => {} });
  await Promise.all(['/a/x', '/b/x', '/a/y'].map((key) => space.commit({ key, expected: 'absent', value: '1' })));
  expect(batches.map((batch) => batch.map((change) => change.key))).toEqual([['/a/x', '/a/y']]);
});

test('an entry is one object for all its readers, at every revision it stands at', async () => {
  const space = createMemoryKeySpace(createManualClock());
  const { entry } = await space.commit({ key: 'a', expected: 'absent', value: '1' });
  await space.commit({ key: 'b', expected: 'absent', value: '1' });
  expect(await space.get('a')).toBe(entry);
  expect(await space.get('a', 2)).toBe(entry);
  expect((await space.range({ prefix: '' })).entries[0]).toBe(entry);
});

test('the revision of a past moment is found by time', async () => {
  const clock = createManualClock(1000);
  const space = createMemoryKeySpace(clock);
  await space.commit({ key: 'a', expected: 'absent', value: '1' });
  await clock.advance(500);
  await space.commit({ key: 'b', expected: 'absent', value: '1' });
  expect(await space.revisionAt(999)).toBe(1);
  expect(await space.revisionAt(1000)).toBe(2);
  expect(await space.revisionAt(1499)).toBe(2);
  expect(await space.revisionAt(1500)).toBe(3);
});
