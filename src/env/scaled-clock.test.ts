import { expect, test } from 'vitest';
import { changeTime, hostTime, isPausedAt, type TimeChange, type TimeState } from './cluster-time.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createScaledClock, type ScaledClock } from './scaled-clock.ts';
import { createSeededRandom } from './seeded-random.ts';

interface Scaled {
  readonly host: ManualClock;
  readonly clock: ScaledClock;
  readonly change: (change: TimeChange) => void;
  readonly state: () => TimeState;
}

function createScaled(): Scaled {
  const host = createManualClock();
  const clock = createScaledClock(host);
  let state = hostTime;
  const change = (next: TimeChange): void => {
    state = changeTime(state, host.nowMs(), next);
    clock.setTime(state);
  };
  return { host, clock, change, state: () => state };
}

test('follows the host until it is changed', async () => {
  const { host, clock } = createScaled();
  const firedMs: number[] = [];
  clock.schedule(1_500, () => firedMs.push(host.monotonicMs()));
  await host.advance(2_000);
  expect([clock.nowMs(), clock.monotonicMs(), ...firedMs]).toEqual([host.nowMs(), 2_000, 1_500]);
});

test('timers follow the speed, also those that were set before', async () => {
  const { host, clock, change } = createScaled();
  const fired: string[] = [];
  const log = (name: string) => () => fired.push(`${name} ${host.monotonicMs()} ${clock.monotonicMs()}`);
  clock.schedule(60_000, log('minute'));
  const cancel = clock.schedule(30_000, log('cancelled'));
  await host.advance(10_000);
  change({ speed: 10 });
  clock.schedule(20_000, log('after'));
  cancel();
  await host.advance(5_000);
  expect(fired).toEqual(['after 12000 30000', 'minute 15000 60000']);
  expect(clock.nowMs() - host.nowMs()).toBe(45_000);
});

test('nothing fires while it is paused, and everything continues afterwards', async () => {
  const { host, clock, change } = createScaled();
  const firedMs: number[] = [];
  clock.schedule(1_000, () => firedMs.push(host.monotonicMs()));
  await host.advance(400);
  change({ speed: 0 });
  const [nowMs, monotonicMs] = [clock.nowMs(), clock.monotonicMs()];
  await host.advance(24 * 3_600_000);
  expect([firedMs, clock.nowMs(), clock.monotonicMs()]).toEqual([[], nowMs, monotonicMs]);
  expect(host.nextDueMs()).toBeUndefined();
  const resumedMs = host.monotonicMs();
  change({ speed: 1 });
  await host.advance(2_000);
  expect(firedMs).toEqual([resumedMs + 600]);
});

test('a step runs the timers within it, and pauses', async () => {
  const { host, clock, change, state } = createScaled();
  const fired: number[] = [];
  for (const ms of [2_000, 10_000, 10_001]) clock.schedule(ms, () => fired.push(ms));
  change({ speed: 0 });
  const startMs = clock.nowMs();
  change({ stepMs: 10_000 });
  expect(isPausedAt(state(), host.nowMs())).toBe(false);
  await host.advance(999);
  expect(isPausedAt(state(), host.nowMs())).toBe(false);
  await host.advance(60_000);
  expect([fired, clock.nowMs() - startMs, clock.monotonicMs()]).toEqual([[2_000, 10_000], 10_000, 10_000]);
  expect(isPausedAt(state(), host.nowMs())).toBe(true);
  change({ stepMs: 10_000 });
  await host.advance(1_000);
  expect(fired).toEqual([2_000, 10_000, 10_001]);
});

test('work waits while it is paused, until the next change or the end of its request', async () => {
  const { host, clock, change } = createScaled();
  const { signal } = new AbortController();
  expect(clock.untilRunning(signal)).toBeUndefined();
  change({ speed: 0 });
  const ending = new AbortController();
  const results: string[] = [];
  void clock.untilRunning(signal)?.then(() => results.push('resumed'));
  void clock.untilRunning(ending.signal)?.catch((error: unknown) => results.push(String(error)));
  ending.abort('ended');
  await host.advance(60_000);
  expect(results).toEqual(['ended']);
  change({ stepMs: 1_000 });
  await host.advance(0);
  expect(results).toEqual(['ended', 'resumed']);
  await host.advance(1_000);
  expect(clock.untilRunning(signal)).toBeInstanceOf(Promise);
});

test('a message that arrives late does not set the date back', async () => {
  const { host, clock, state } = createScaled();
  clock.setTime(changeTime(state(), host.nowMs(), { speed: 10 }));
  await host.advance(1_000);
  const paused = changeTime(changeTime(state(), host.nowMs() - 1_000, { speed: 10 }), host.nowMs(), { speed: 0 });
  await host.advance(3);
  const before = clock.nowMs();
  clock.setTime(paused);
  expect([before - paused.clusterMs, clock.nowMs()]).toEqual([30, before]);
});

test('a timer that is set by a timer waits for the next turn, and an error does not stop the others', async () => {
  const { host, clock } = createScaled();
  const fired: string[] = [];
  clock.schedule(10, () => {
    clock.schedule(0, () => fired.push('nested'));
    throw new Error('broken');
  });
  clock.schedule(10, () => fired.push('same time'));
  await expect(host.advance(20)).rejects.toThrow('broken');
  await host.advance(20);
  expect(fired).toEqual(['same time', 'nested']);
});

test('timers fire in order and not early, and times never go back, at random changes', async () => {
  const random = createSeededRandom(Number(process.env['TABPLANE_SEED'] ?? 1));
  const { host, clock, change } = createScaled();
  let [firedMs, dateMs, count] = [0, 0, 0];
  const speeds = [0, 1, 10, 3, 0.5];
  for (let round = 0; round < 300; round++) {
    const atMs = clock.monotonicMs() + random.integer(30_000);
    clock.schedule(atMs - clock.monotonicMs(), () => {
      expect(clock.monotonicMs()).toBeGreaterThanOrEqual(atMs);
      // A timer of the host has whole milliseconds, here of ten times that length.
      expect(clock.monotonicMs() - atMs).toBeLessThanOrEqual(10);
      expect(atMs).toBeGreaterThanOrEqual(firedMs);
      [firedMs, count] = [atMs, count + 1];
    });
    if (random.integer(3) === 0) change({ speed: speeds[random.integer(speeds.length)] ?? 1 });
    if (random.integer(10) === 0) change({ stepMs: random.integer(10_000) });
    await host.advance(random.integer(2_000));
    expect(clock.nowMs()).toBeGreaterThanOrEqual(dateMs);
    dateMs = clock.nowMs();
  }
  change({ speed: 10 });
  await host.advance(10_000);
  expect(count).toBe(300);
});
