/** Calls `ended` once, when the stream ends for any reason. Ends it, and its source, when `end` aborts. */
export function observeEnd(
  body: AsyncIterable<string | Uint8Array>,
  ended: () => void,
  end?: AbortSignal,
): AsyncIterable<string | Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  let open = true;
  const close = (): void => {
    if (open) ended();
    open = false;
  };
  // Not awaited: a generator that waits for its next event settles `return` only after that event.
  const stop = (): { readonly done: true; readonly value: undefined } => {
    close();
    void iterator.return?.();
    return { done: true, value: undefined };
  };
  const next = (): Promise<IteratorResult<string | Uint8Array>> =>
    new Promise((resolve, reject) => {
      const over = (): void => resolve(stop());
      if (end?.aborted) return over();
      end?.addEventListener('abort', over, { once: true });
      // Removes the listener after each chunk, since a stream may have millions of chunks.
      iterator
        .next()
        .then(
          (result) => {
            if (result.done === true) close();
            resolve(result);
          },
          (error: unknown) => {
            close();
            reject(error);
          },
        )
        .finally(() => end?.removeEventListener('abort', over));
    });
  return { [Symbol.asyncIterator]: () => ({ next, return: () => Promise.resolve(stop()) }) };
}
