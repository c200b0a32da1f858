import { AbortGroup, type ApiClient, type InformerSource, ScopedInformers } from '../../client/index.ts';
import type { Controller, ControllerContext, ControllerManagerOptions } from '../controller.ts';
import { type ControllerHealth, isProgramError } from './controller-health.ts';

export interface Supervision {
  readonly name: string;
  readonly start: Controller;
  readonly options: Omit<ControllerManagerOptions, 'api' | 'accountApi' | 'clientRate'>;
  readonly informers: InformerSource;
  /** Creates the client of a controller, whose requests end with the signal. */
  readonly createClient: (signal: AbortSignal) => ApiClient;
}

/** The delay of the first restart; it doubles with each one, as for a container in CrashLoopBackOff. */
const firstDelayMs = 1_000;
const maxDelayMs = 300_000;
/** A controller that ran for so long is restarted with the first delay again. */
const resetMs = 600_000;

/**
 * Runs a controller. One that throws, at its start or in a handler of an informer, is stopped and restarted with back-off; the other
 * controllers are not affected. The returned function stops it.
 */
export function superviseController({ name, start, options, informers: shared, createClient }: Supervision): () => void {
  const { health, ...context } = options;
  const { clock, log } = context;
  let delayMs = firstDelayMs;
  let end = (): void => {};

  const run = (): void => {
    const startedMs = clock.monotonicMs();
    const running = new AbortGroup();
    let isCrashed = false;
    const crash = (error: unknown): void => {
      if (isCrashed) return;
      isCrashed = true;
      stop();
      if (clock.monotonicMs() - startedMs >= resetMs) delayMs = firstDelayMs;
      log.error('controller crashed', { name, restartMs: delayMs, error });
      health?.record(name, 'crashed', error);
      end = clock.schedule(delayMs, run);
      delayMs = Math.min(maxDelayMs, delayMs * 2);
    };
    const informers = new ScopedInformers(shared, crash);
    const stop = (): void => {
      running.abort();
      informers.end();
    };
    end = stop;
    health?.started(name);
    const [client, { signal }] = [createClient(running.add().signal), running.add()];
    try {
      start({ ...context, informers, client, signal, onResult: resultRecorder(name, health) });
    } catch (error) {
      crash(error);
    }
  };

  run();
  return () => {
    end();
    health?.stopped(name);
  };
}

function resultRecorder(name: string, health: ControllerHealth | undefined): ControllerContext['onResult'] {
  return (item, error) => health?.record(name, item, isProgramError(error) ? error : undefined);
}
