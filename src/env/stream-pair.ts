import { ByteQueue } from './byte-queue.ts';
import type { ByteSink, ByteStream } from './byte-stream.ts';

/**
 * Both ends of a connection in memory: what one end writes, the other reads. `onEnd` is called once, when both ends have closed their sink,
 * or one has aborted.
 */
export function createStreamPair(onEnd: () => void = () => {}): readonly [ByteStream, ByteStream] {
  const [there, back] = [new ByteQueue(), new ByteQueue()];
  const open = new Set([there, back]);
  const ended = (...queues: readonly ByteQueue[]): void => {
    if (open.size === 0) return;
    for (const queue of queues) open.delete(queue);
    if (open.size === 0) onEnd();
  };
  const abort = (reason: Error): void => {
    there.fail(reason);
    back.fail(reason);
    ended(there, back);
  };
  return [
    { source: back, sink: sinkOf(there, ended), abort },
    { source: there, sink: sinkOf(back, ended), abort },
  ];
}

function sinkOf(queue: ByteQueue, ended: (queue: ByteQueue) => void): ByteSink {
  return {
    write: (bytes) => (queue.isClosed ? Promise.reject(new Error('broken pipe')) : queue.push(bytes)),
    async close() {
      queue.end();
      ended(queue);
    },
  };
}
