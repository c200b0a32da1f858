import type { ApiResponse, ResponseBody } from '../meta/index.ts';

export function isStream(body: ResponseBody): body is Extract<ResponseBody, AsyncIterable<unknown>> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

/** Calls `end` once when the response is complete: now, or when its stream ends or is cancelled. */
export function onResponseEnd(response: ApiResponse, end: () => void): ApiResponse {
  const { body } = response;
  if (isStream(body)) return { ...response, body: onStreamEnd(body, end) };
  end();
  return response;
}

/**
 * Wraps a stream and calls `end` once when it ends, fails or is cancelled. Not a generator: `return` on a generator waits for a pending
 * `next`.
 */
export function onStreamEnd<T>(body: AsyncIterable<T>, end: () => Promise<void> | void): AsyncIterable<T> {
  let isEnded = false;
  const endOnce = async (): Promise<void> => {
    if (isEnded) return;
    isEnded = true;
    await end();
  };
  return {
    [Symbol.asyncIterator]() {
      const inner = body[Symbol.asyncIterator]();
      return {
        async next() {
          const next = await inner.next().catch(async (error: unknown) => {
            await endOnce();
            throw error;
          });
          if (next.done) await endOnce();
          return next;
        },
        async return() {
          await inner.return?.();
          await endOnce();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
