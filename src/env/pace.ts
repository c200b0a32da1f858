import type { Clock } from './ports.ts';

/** Returns a promise to await when it is time to yield to the event loop, else undefined. */
export type Pace = () => Promise<void> | undefined;

type PaceClock = Pick<Clock, 'hostMs' | 'monotonicMs' | 'nextTurn'>;

/** Length of a time slice, in milliseconds; after it long work yields to other tasks. */
const sliceMs = 20;
/** The same while others wait for theirs, so that the first of many does not wait for long. */
const contendedSliceMs = 5;

/** Runs a generator to its end. Awaits what a step yields, or `pause` (of `createPace`), between its steps. */
export async function runYielding<T>(steps: Generator<Promise<void> | void, T>, pause: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const wait = step.value ?? pause();
    // Most steps have nothing to wait for, and an await costs as much as many of them.
    if (wait) await wait;
  }
}

/**
 * For long loops: `const pause = pace(); if (pause) await pause;` waits for a later turn of the event loop whenever a time slice is used
 * up. Short work never waits and costs no turn.
 */
export function createPace(clock: PaceClock): Pace {
  let sliceStart = hostMs(clock);
  return () => {
    if (hostMs(clock) - sliceStart < sliceMs) return undefined;
    return clock.nextTurn().then(() => {
      sliceStart = hostMs(clock);
    });
  };
}

/**
 * A pace for work in small parts that follow each other by promises only, such as requests of controllers that react to each other's
 * writes. All users of a pace share the time slice of a turn of the event loop. Once it is used up they wait, and resume in their order in
 * later turns, as many in each as its slice allows. While some wait, others wait behind them: else work that arrives at the start of each
 * turn would use every slice.
 */
export function createTurnPace(clock: PaceClock): Pace {
  const waiting: (() => void)[] = [];
  let sliceStart: number | undefined;
  const isSliceUsed = (): boolean => {
    if (sliceStart !== undefined) return hostMs(clock) - sliceStart >= (waiting.length > 0 ? contendedSliceMs : sliceMs);
    sliceStart = hostMs(clock);
    void clock.nextTurn().then(() => {
      sliceStart = undefined;
    });
    return false;
  };
  /** Called once for each that waits; the promise callbacks of one run before the next is resumed. */
  const resumeNext = (): void => {
    if (isSliceUsed()) void clock.nextTurn().then(resumeNext);
    else waiting.shift()?.();
  };
  return () => {
    if (waiting.length === 0 && !isSliceUsed()) return undefined;
    void clock.nextTurn().then(resumeNext);
    return new Promise((resolve) => waiting.push(resolve));
  };
}

function hostMs(clock: PaceClock): number {
  return clock.hostMs?.() ?? clock.monotonicMs();
}
