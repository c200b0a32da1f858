import { expect, test } from 'vitest';
import { createManualClock } from './manual-clock.ts';

test('time stands until it is advanced', async () => {
  const clock = createManualClock(1000);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1000, 0]);
  await clock.advance(250);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1250, 250]);
});

test('what is scheduled runs in order of its time, at its time', async () => {
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

test('what is cancelled does not run', async () => {
  const clock = createManualClock(0);
  let runs = 0;
  clock.schedule(1, () => runs++)();
  await clock.advance(10);
  expect(runs).toBe(0);
});

test('a sleeper goes on before time does', async () => {
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

test('a sleep ends with the reason it is aborted for', async () => {
  const clock = createManualClock(0);
  const abort = new AbortController();
  const sleeping = clock.sleep(10, abort.signal);
  abort.abort('enough');
  await expect(sleeping).rejects.toBe('enough');
  await expect(clock.sleep(10, AbortSignal.abort('before'))).rejects.toBe('before');
});
