import type { Clock, Random } from '../../env/index.ts';
import { WebhookError } from './connection.ts';

/** A failed call is tried five times with exponential backoff (upstream webhook.DefaultRetryBackoff). */
const maxAttempts = 5;
const backoffFactor = 1.5;
const backoffJitter = 0.2;

export interface RetryPolicy {
  readonly initialBackoffMs: number;
  /** Retries after every failure, not only transient ones. */
  readonly retriesAll: boolean;
}

const defaultRetryPolicy: RetryPolicy = { initialBackoffMs: 500, retriesAll: false };

/** Retries a call after transient failures. @throws WebhookError */
export async function retryWithBackoff<T>(
  call: () => Promise<T>,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  { initialBackoffMs: firstPauseMs, retriesAll: always }: RetryPolicy = defaultRetryPolicy,
): Promise<T> {
  for (let attempt = 1, pauseMs = firstPauseMs; ; attempt++, pauseMs *= backoffFactor) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof WebhookError) || !(always || error.isTransient) || attempt === maxAttempts) throw error;
      await clock.sleep(pauseMs * (1 + (backoffJitter * random.integer(1000)) / 1000));
    }
  }
}
