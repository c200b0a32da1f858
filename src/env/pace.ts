import type { Clock } from './ports.ts';

/** Returns a promise to await when it is time to yield to the event loop, else undefined. */
export type Pace = () => Promise<void> | undefined;

type PaceClock = Pick<Clock, 'hostMs' | 'monotonicMs' | 'nextTurn'>;

/** Length of a time slice, in milliseconds; after it long work yields to other tasks. */
const sliceMs = 20;
/** The same while others wait for theirs, so that the first of many does not wait for long. */
const contendedSliceMs = 5;

/** Runs a generator to its end and awaits `pause` (of `createPace`) between its steps. */
export async function runYielding<T>(steps: Generator<void, T>, pause: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
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
 * writes. All users of a pace share its time slice. Once it is used up they wait, and each in turn resumes in a later turn of the event
 * loop with a new slice.
 */
export function createTurnPace(clock: PaceClock): Pace {
  const waiting: (() => void)[] = [];
  let sliceStart: number | undefined;
  const startSlice = (): void => {
    sliceStart = hostMs(clock);
    void clock.nextTurn().then(endSlice);
  };
  const endSlice = (): void => {
    const resume = waiting.shift();
    sliceStart = undefined;
    if (!resume) return;
    startSlice();
    resume();
  };
  return () => {
    if (sliceStart === undefined) startSlice();
    else if (hostMs(clock) - sliceStart >= (waiting.length > 0 ? contendedSliceMs : sliceMs))
      return new Promise((resolve) => waiting.push(resolve));
    return undefined;
  };
}

function hostMs(clock: PaceClock): number {
  return clock.hostMs?.() ?? clock.monotonicMs();
}
