import type { Env } from '../../env/index.ts';
import { type ApiHandler, type ApiRequest, attemptIdHeader } from '../../meta/index.ts';
import { isRead } from './request-target.ts';
import { TransportError } from './transport-error.ts';

/** Delays before the second attempt, the third and so on. About ten seconds in all, longer than a worker restart. */
const delaysMs: readonly number[] = [20, 50, 100, 200, 400, 800, 1_600, 3_000, 4_000];

export interface RetryOptions {
  readonly env: Pick<Env, 'clock' | 'random'>;
  /** `all` only where the server deduplicates attempts by id; other servers would apply a write twice. */
  readonly retry: 'all' | 'reads';
}

/**
 * Adds an attempt id to each request and retries it under that id when the connection fails, so that a write is applied once even when the
 * worker is killed. Responses, including errors, are never retried.
 */
export function withRetries(handler: ApiHandler, { env, retry }: RetryOptions): ApiHandler {
  return async (request) => {
    const identified = withAttemptId(request, () => env.random.uuid());
    const delays = retry === 'all' || isRead(request.method) ? delaysMs : [];
    for (let attempt = 0; ; attempt++) {
      try {
        return await handler(identified);
      } catch (error) {
        const delayMs = delays[attempt];
        if (!(error instanceof TransportError) || delayMs === undefined) throw error;
        await env.clock.sleep(delayMs, request.signal);
      }
    }
  };
}

function withAttemptId(request: ApiRequest, newId: () => string): ApiRequest {
  if (request.headers.get(attemptIdHeader) !== null) return request;
  const headers = new Headers([...request.headers]);
  headers.set(attemptIdHeader, newId());
  return { ...request, headers };
}
