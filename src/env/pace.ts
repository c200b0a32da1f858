import type { Clock } from './ports.ts';

/** Awaited in long work; undefined while it need not pause. */
export type Pace = () => Promise<void> | undefined;

/** Long work lets others have their turn after that many milliseconds. */
const sliceMs = 20;

/** Takes the steps of long work, awaiting `pause` (of `createPace`) between them. */
export async function finishInTurns<T>(steps: Generator<void, T>, pause: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/**
 * For loops over much: `const pause = pace(); if (pause) await pause;` waits for a later turn of the event loop whenever a slice of
 * time is over. What is short never waits, so that it costs no turn.
 */
export function createPace(clock: Pick<Clock, 'monotonicMs' | 'nextTurn'>): Pace {
  let sliceStart = clock.monotonicMs();
  return () => {
    if (clock.monotonicMs() - sliceStart < sliceMs) return undefined;
    return clock.nextTurn().then(() => {
      sliceStart = clock.monotonicMs();
    });
  };
}
