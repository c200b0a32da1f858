import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../env/index.ts';
import { createCompactor } from './compactor.ts';
import { createMemoryKeySpace } from './memory/memory-key-space.ts';

test('compacts revisions older than the retention', async () => {
  const clock = createManualClock();
  const keySpace = createMemoryKeySpace(clock);
  const compactor = createCompactor({ keySpace, clock, log: createMemoryLog(), retentionMs: 1000 });
  for (const key of ['a', 'b', 'c']) {
    await keySpace.commit({ key, expected: 'absent', value: '1' });
    await clock.advance(400);
  }
  expect(await compactor.compact()).toBe(2);
  await clock.advance(199);
  expect(await compactor.compact()).toBe(2);
  await clock.advance(1);
  expect(await compactor.compact()).toBe(3);
  await clock.advance(10_000);
  expect(await compactor.compact()).toBe(4);
});

test('compacts periodically after start until it is stopped', async () => {
  const clock = createManualClock();
  const log = createMemoryLog();
  const keySpace = createMemoryKeySpace(clock);
  const compactor = createCompactor({ keySpace, clock, log, retentionMs: 1000 });
  compactor.start();
  await keySpace.commit({ key: 'a', expected: 'absent', value: '1' });
  await clock.advance(1000);
  expect(await keySpace.compactedRevision()).toBe(2);
  compactor.stop();
  await keySpace.commit({ key: 'b', expected: 'absent', value: '1' });
  await clock.advance(10_000);
  expect(await keySpace.compactedRevision()).toBe(2);
  compactor.start();
  await clock.advance(200);
  expect(await keySpace.compactedRevision()).toBe(3);
  await keySpace.close();
  await clock.advance(10_000);
  expect(log.lines).toEqual([]);
});

test('never compacts or schedules anything with an infinite retention', async () => {
  const clock = createManualClock();
  const keySpace = createMemoryKeySpace(clock);
  const compactor = createCompactor({ keySpace, clock, log: createMemoryLog(), retentionMs: Number.POSITIVE_INFINITY });
  compactor.start();
  await keySpace.commit({ key: 'a', expected: 'absent', value: '1' });
  await clock.advance(365 * 24 * 60 * 60 * 1000);
  expect(await keySpace.compactedRevision()).toBe(1);
});

test('expires history after the clock is set back', async () => {
  let nowMs = 1_000_000;
  const keySpace = createMemoryKeySpace({ ...createManualClock(), nowMs: () => nowMs });
  await keySpace.commit({ key: 'a', expected: 'absent', value: '1' });
  nowMs = 1000;
  await keySpace.commit({ key: 'b', expected: 'absent', value: '1' });
  expect([await keySpace.revisionAt(999), await keySpace.revisionAt(1000)]).toEqual([1, 3]);
});
