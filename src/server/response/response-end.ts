import type { ByteStream, MessageConnection } from '../../env/index.ts';
import { type ApiResponse, isStream, type ProtocolSwitch, type WebSocketConnection } from '../../meta/index.ts';

/** Calls `end` once when the response is complete: now, or when its stream ends or is cancelled. */
export function onResponseEnd(response: ApiResponse, end: () => void): ApiResponse {
  const { body } = response;
  if (response.upgrade) return { ...response, upgrade: onSwitchEnd(response.upgrade, end) };
  if (isStream(body)) return { ...response, body: onStreamEnd(body, end) };
  end();
  return response;
}

/** Calls `end` once when the connection with the other protocol has ended, or the client has disconnected before. */
export function onSwitchEnd(upgrade: ProtocolSwitch, end: () => Promise<void> | void): ProtocolSwitch {
  const cancel = (): void => {
    upgrade.cancel();
    void end();
  };
  if (upgrade.kind === 'bytes') return { ...upgrade, serve: (stream: ByteStream) => upgrade.serve(stream).finally(end), cancel };
  if (upgrade.kind === 'port') return { ...upgrade, serve: (port: MessageConnection<unknown>) => upgrade.serve(port).finally(end), cancel };
  return { ...upgrade, serve: (socket: WebSocketConnection) => upgrade.serve(socket).finally(end), cancel };
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

/** Wraps a stream and calls `observe` for each of its chunks. Not a generator, as above. */
export function onChunk<T>(body: AsyncIterable<T>, observe: (chunk: T) => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const inner = body[Symbol.asyncIterator]();
      return {
        async next() {
          const next = await inner.next();
          if (!next.done) observe(next.value);
          return next;
        },
        async return() {
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
