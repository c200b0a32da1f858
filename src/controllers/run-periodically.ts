import type { ControllerContext } from './controller.ts';

/** Runs a task at once and then again a period after it has ended, until the signal aborts. Cf. wait.UntilWithContext. */
export async function runPeriodically(
  name: string,
  periodMs: number,
  task: () => Promise<void>,
  { clock, log, signal, onResult }: Pick<ControllerContext, 'clock' | 'log' | 'signal' | 'onResult'>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await task();
      onResult(name);
    } catch (error) {
      if (!signal.aborted) {
        log.warn('controller failed', { name, error });
        onResult(name, error);
      }
    }
    await clock.sleep(periodMs, signal).catch(() => undefined);
  }
}
