import { randomInt, randomUUID } from 'node:crypto';
import type { Env, Log } from '../../env/index.ts';
import { createRealClock } from '../real-clock.ts';

/** The real clock and random source of this process. */
export function createNodeEnv(log: Log): Env {
  return {
    clock: createRealClock({
      schedule: (ms, run) => {
        // Timers do not prevent the exit of the process; open sockets do.
        const timer = setTimeout(run, ms).unref();
        return () => clearTimeout(timer);
      },
      nextTurn: nextNodeTurn,
    }),
    random: { integer: (below) => (below > 1 ? randomInt(below) : 0), uuid: () => randomUUID() },
    log,
  };
}

/** Resolves after pending I/O had its turn. A timer takes a millisecond at least. */
export function nextNodeTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Logs one line per event to standard error; standard output is for scripts. */
export function createStderrLog(level: 'error' | 'warn' | 'info'): Log {
  const ranks = { error: 0, warn: 1, info: 2 };
  const line =
    (of: keyof typeof ranks) =>
    (event: string, details: Readonly<Record<string, unknown>>): void => {
      if (ranks[of] > ranks[level]) return;
      process.stderr.write(`${new Date().toISOString()} ${of} ${event} ${JSON.stringify(details, showErrors)}\n`);
    };
  return { error: line('error'), warn: line('warn'), info: line('info') };
}

function showErrors(_: string, value: unknown): unknown {
  if (value instanceof Error)
    return { message: value.message, stack: value.stack, ...(value.cause === undefined ? {} : { cause: value.cause }) };
  return typeof value === 'bigint' ? value.toString() : value;
}
