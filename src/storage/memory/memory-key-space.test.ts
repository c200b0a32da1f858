import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { copyKeySpace } from '../copy.ts';
import type { Change } from '../key-space.ts';
import { createMemoryKeySpace } from './memory-key-space.ts';

test('delivers to watchers before the writer continues, and batches the writes of one turn', async () => {
  const space = createMemoryKeySpace(createManualClock());
  const batches: (readonly Change[])[] = [];
  await space.watch({ prefix: '/a/', after: 1, deliver: (changes) => batches.push(changes), onError: () => {} });
  await Promise.all(['/a/x', '/b/x', '/a/y'].map((key) => space.commit({ key, expected: 'absent', value: '1' })));
  expect(batches.map((batch) => batch.map((change) => change.key))).toEqual([['/a/x', '/a/y']]);
});

test('returns no read ahead of the established watches', async () => {
  const space = createMemoryKeySpace(createManualClock());
  let delivered = 1;
  await space.watch({
    prefix: '',
    after: 1,
    deliver: (_, revision) => {
      delivered = revision;
    },
    onError: () => {},
  });
  const written = space.commit({ key: 'a', expected: 'absent', value: '1' });
  expect([await space.revision(), delivered]).toEqual([2, 2]);
  await written;
});

test('delivers each write of a turn once to a watch that starts within it', async () => {
  const space = createMemoryKeySpace(createManualClock());
  const seen: number[] = [];
  const writes = ['a', 'b'].map((key) => space.commit({ key, expected: 'absent', value: '1' }));
  const deliver = (changes: readonly Change[]): void => void seen.push(...changes.map((change) => change.revision));
  const watching = space.watch({ prefix: '', after: 1, deliver, onError: () => {} });
  writes.push(space.commit({ key: 'c', expected: 'absent', value: '1' }));
  await Promise.all([...writes, watching]);
  expect(seen).toEqual([2, 3, 4]);
});

test('delivers nothing to other watchers after one closes the key space, and ends them with the error', async () => {
  const space = createMemoryKeySpace(createManualClock());
  const delivered: string[] = [];
  await space.watch({ prefix: '', after: 1, deliver: () => void space.close(), onError: () => delivered.push('first') });
  await space.watch({ prefix: '', after: 1, deliver: () => delivered.push('delivered'), onError: (error) => delivered.push(error.code) });
  await space.commit({ key: 'a', expected: 'absent', value: '1' });
  expect(delivered).toEqual(['first', 'closed']);
});

test('returns the same entry object to all readers, at every revision', async () => {
  const space = createMemoryKeySpace(createManualClock());
  const { entry } = await space.commit({ key: 'a', expected: 'absent', value: '1' });
  await space.commit({ key: 'b', expected: 'absent', value: '1' });
  expect(await space.get('a')).toBe(entry);
  expect(await space.get('a', 2)).toBe(entry);
  expect((await space.range({ prefix: '' })).entries[0]).toBe(entry);
});

test('finds the revision of a past time', async () => {
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

test('has entries of its own when it starts with a copy, so that values attached to them do not outlive it', async () => {
  const first = createMemoryKeySpace(createManualClock());
  await first.commit({ key: 'a', expected: 'absent', value: '1' });
  const copy = await copyKeySpace(first);
  const second = createMemoryKeySpace(createManualClock(), copy);
  expect(await second.get('a')).toEqual(copy.entries[0]);
  expect(await second.get('a')).not.toBe(copy.entries[0]);
});
