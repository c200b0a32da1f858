import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../src/env/index.ts';
import { createCompactor, createMemoryKeySpace, defaultRetention } from '../../src/storage/index.ts';

test('a hundred thousand updates of a hundred keys leave the window and one entry a key', async () => {
  const clock = createManualClock();
  const keySpace = createMemoryKeySpace(clock);
  const compactor = createCompactor({ keySpace, clock, log: createMemoryLog(), retention: { ...defaultRetention, ageMs: 1000 } });
  compactor.start();
  const revisions: (number | 'absent')[] = Array.from({ length: 100 }, () => 'absent');
  let most = 0;
  for (let round = 0; round < 1000; round++) {
    for (const [index, expected] of revisions.entries()) {
      const { revision } = await keySpace.commit({ key: `k${index}`, expected, value: `${round}`, requestId: `${round}-${index}` });
      revisions[index] = revision;
    }
    await clock.advance(10);
    most = Math.max(most, (await keySpace.revision()) - (await keySpace.compactedRevision()));
  }
  // A second of 10 ms rounds, and the fifth of it until the compactor comes by.
  expect(most).toBeLessThanOrEqual(12_200);
  expect(await keySpace.committedBy('0-0')).toBeUndefined();
  await clock.advance(2000);
  expect((await keySpace.revision()) - (await keySpace.compactedRevision())).toBe(0);
  expect((await keySpace.range({ prefix: '' })).entries.map(({ value }) => value)).toEqual(Array.from({ length: 100 }, () => '999'));
  compactor.stop();
});
