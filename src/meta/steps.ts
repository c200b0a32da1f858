/** Takes all steps of divided work at once, for callers that have nothing to let in between. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
