import type { Clock, Random } from '../../env/index.ts';
import { WebhookError } from './connection.ts';

/** A failed question is put five times, with more time between (upstream webhook.DefaultRetryBackoff). */
const attempts = 5;
const pauseGrowth = 1.5;
const pauseJitter = 0.2;

export interface Patience {
  readonly firstPauseMs: number;
  /** Whatever the failure was, not only where asking again may help. */
  readonly always: boolean;
}

const usual: Patience = { firstPauseMs: 500, always: false };

/** Asks again where that may help. @throws WebhookError */
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
