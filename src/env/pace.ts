import type { Clock } from './ports.ts';

/** Returns a promise to await when it is time to yield to the event loop, else undefined. */
export type Pace = () => Promise<void> | undefined;

type PaceClock = Pick<Clock, 'hostMs' | 'monotonicMs' | 'nextTurn'>;

/** Length of a time slice, in milliseconds; after it long work yields to other tasks. */
const sliceMs = 20;

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
 * A pace for work in small parts that follow each other by promises only, such as controllers that react to each other's writes: the
 * time is measured since the event loop has last taken a turn.
 */
export function createTurnPace(clock: PaceClock): Pace {
  let turnStart: number | undefined;
  return () => {
    if (turnStart === undefined) {
      turnStart = hostMs(clock);
      void clock.nextTurn().then(() => {
        turnStart = undefined;
      });
      return undefined;
    }
    return hostMs(clock) - turnStart < sliceMs ? undefined : clock.nextTurn();
  };
}

function hostMs(clock: PaceClock): number {
  return clock.hostMs?.() ?? clock.monotonicMs();
}
