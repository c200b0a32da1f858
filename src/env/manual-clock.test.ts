import { expect, test } from 'vitest';
import { createManualClock } from './manual-clock.ts';

test('time does not pass until it is advanced', async () => {
  const clock = createManualClock(1000);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1000, 0]);
  await clock.advance(250);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1250, 250]);
});

test('runs scheduled callbacks in order of their time, at their time', async () => {
  const clock = createManualClock(0);
  const ran: string[] = [];
  const note = (name: string) => () => ran.push(`${name} at ${clock.nowMs()}`);
  clock.schedule(300, note('late'));
  clock.schedule(100, note('first'));
  clock.schedule(100, note('second'));
  clock.schedule(-5, note('at once'));
  await clock.advance(299);
  expect(ran).toEqual(['at once at 0', 'first at 100', 'second at 100']);
  await clock.advance(1);
  expect(ran.at(-1)).toBe('late at 300');
});

test('does not run cancelled callbacks', async () => {
  const clock = createManualClock(0);
  let runs = 0;
  clock.schedule(1, () => runs++)();
  await clock.advance(10);
  expect(runs).toBe(0);
});

test('resumes a sleeper before time advances further', async () => {
  const clock = createManualClock(0);
  const woke: number[] = [];
  const loop = async (): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      await clock.sleep(10);
      woke.push(clock.nowMs());
    }
  };
  void loop();
  await clock.advance(100);
  expect(woke).toEqual([10, 20, 30]);
});

test('a sleep rejects with the reason of its abort', async () => {
  const clock = createManualClock(0);
  const abort = new AbortController();
  const sleeping = clock.sleep(10, abort.signal);
  abort.abort('enough');
  await expect(sleeping).rejects.toBe('enough');
  await expect(clock.sleep(10, AbortSignal.abort('before'))).rejects.toBe('before');
});
