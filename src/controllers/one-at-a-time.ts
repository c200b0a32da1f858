import type { Log } from '../env/index.ts';

/** Runs `work` whenever it is called, never twice at once; calls while it runs are one more run. What goes wrong is logged. */
export function oneAtATime(name: string, log: Log, work: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await work().catch((error: unknown) => log.warn('controller failed', { name, error }));
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
