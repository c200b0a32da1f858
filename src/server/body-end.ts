import type { ApiResponse, ResponseBody } from '../meta/index.ts';

export function isStream(body: ResponseBody): body is Extract<ResponseBody, AsyncIterable<unknown>> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

/** The same answer, at whose end `end` is called once: now, or when its stream is over, whoever ends it. */
export function withEnd(response: ApiResponse, end: () => void): ApiResponse {
  const { body } = response;
  if (isStream(body)) return { ...response, body: endingWith(body, end) };
  end();
  return response;
}

/** The same stream, at whose end `end` is called once, whoever ends it. A generator could not be ended while it waits. */
export function endingWith<T>(body: AsyncIterable<T>, end: () => Promise<void> | void): AsyncIterable<T> {
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
