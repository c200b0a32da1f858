import type { Clock, Random } from '../../env/index.ts';
import { WebhookError } from './connection.ts';

/** A failed call is tried five times with exponential backoff (upstream webhook.DefaultRetryBackoff). */
const attempts = 5;
const pauseGrowth = 1.5;
const pauseJitter = 0.2;

export interface Patience {
  readonly firstPauseMs: number;
  /** Retries after every failure, not only transient ones. */
  readonly always: boolean;
}

const usual: Patience = { firstPauseMs: 500, always: false };

/** Retries a call after transient failures. @throws WebhookError */
export async function patiently<T>(
  ask: () => Promise<T>,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  { firstPauseMs, always }: Patience = usual,
): Promise<T> {
  for (let attempt = 1, pauseMs = firstPauseMs; ; attempt++, pauseMs *= pauseGrowth) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof WebhookError) || !(always || error.passing) || attempt === attempts) throw error;
      await clock.sleep(pauseMs * (1 + (pauseJitter * random.integer(1000)) / 1000));
    }
  }
}
