/** Long work in steps, between which others can have their turns. */
export type Steps<T> = Generator<undefined, T>;

/**
 * A call of a recursive function: it yields calls of the same function for their results, and nothing where a step may end. Pending
 * calls stand in a list instead of the call stack, for which values can be nested too deeply.
 */
export interface Recursion<T> extends Generator<Recursion<T> | undefined, T, T> {}

/** How many calls of a recursive function one step makes, and how many items a loop may take without a `yield`: about a millisecond. */
export const itemsInStep = 1_000;

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
    if (count % itemsInStep === 0) yield;
  }
}

/** Takes all steps at once. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
