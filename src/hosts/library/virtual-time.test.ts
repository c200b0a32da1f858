import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { VirtualTime } from './virtual-time.ts';

const host = {
  monotonicMs: (): number => performance.now(),
  nextTurn: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
};

test('waits for work in other threads, and for what follows it, before the time advances', async () => {
  const { clock, ...time } = withClock();
  const digests: number[] = [];
  const work = async (): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      await clock.hostWork(new Promise<void>((resolve) => setTimeout(resolve, 20)));
      digests.push(clock.monotonicMs());
    }
  };
  clock.schedule(500, () => void work());
  clock.schedule(1_000, () => digests.push(clock.monotonicMs()));
  await time.advance(60_000);
  expect(digests).toEqual([500, 500, 500, 1_000]);
});

test('work in other threads that fails rejects, and does not stop the time', async () => {
  const { clock, advance } = withClock();
  const failing = clock.hostWork(Promise.reject(new Error('no key')));
  await expect(failing).rejects.toThrow('no key');
  await advance(1_000);
  expect(clock.monotonicMs()).toBe(1_000);
});

function withClock(): Pick<VirtualTime, 'clock' | 'advance'> {
  const time = new VirtualTime(createManualClock(0), host);
  return { clock: time.clock, advance: (ms) => time.advance(ms) };
}
