/** Long work in steps, between which other tasks can run. */
export type Steps<T> = Generator<undefined, T>;

/**
 * A call of a recursive function: it yields calls of the same function to get their results, and undefined where a step may end. Pending
 * calls are on an explicit stack, since values may be nested too deeply for the call stack.
 */
export interface Recursion<T> extends Generator<Recursion<T> | undefined, T, T> {}

/** Number of recursive calls or loop iterations per step: about a millisecond. */
export const itemsPerStep = 1_000;

export function* stepsOf<T>(call: Recursion<T>): Steps<T> {
  const callers: Recursion<T>[] = [];
  let current = call;
  let result: T | undefined;
  for (let count = 1; ; count++) {
    const step = current.next(result as T);
    result = undefined;
    if (step.done) {
      const caller = callers.pop();
      if (!caller) return step.value;
      result = step.value;
      current = caller;
    } else if (step.value) {
      callers.push(current);
      current = step.value;
    } else yield;
    if (count % itemsPerStep === 0) yield;
  }
}

/** Counts the items of long work, to end a step after a number of them. */
export class StepCounter {
  readonly #itemsPerStep: number;
  #left: number;

  constructor(itemsPerStep: number) {
    this.#itemsPerStep = itemsPerStep;
    this.#left = itemsPerStep;
  }

  /** Counts an item; returns whether the step is over. */
  count(): boolean {
    if (--this.#left > 0) return false;
    this.#left = this.#itemsPerStep;
    return true;
  }
}

/** Runs all steps synchronously. */
export function runSteps<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
