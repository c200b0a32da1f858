/** Long work in steps, between which other tasks can run. */
export type Steps<T> = Generator<undefined, T>;

/** Steps of which some yield a promise, and continue when it has settled. */
export type AsyncSteps<T> = Generator<Promise<void> | undefined, T>;

/** Waits for a promise. Such steps cannot run synchronously. */
export function* awaitInSteps<T>(promise: Promise<T>): AsyncSteps<T> {
  let outcome: PromiseSettledResult<T> | undefined;
  yield promise.then(
    (value) => {
      outcome = { status: 'fulfilled', value };
    },
    (reason: unknown) => {
      outcome = { status: 'rejected', reason };
    },
  );
  const settled = outcome as PromiseSettledResult<T> | undefined;
  if (!settled) throw new Error('steps that wait were run synchronously');
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

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
export function runSteps<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
