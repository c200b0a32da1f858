import { type Clock, type Log, TokenBucket } from '../../env/index.ts';
import type { AuditEvent } from '../event.ts';
import { logDroppedEvents } from './dropped-events.ts';
import type { AuditSink } from './sink.ts';

/** `--audit-…-batch-…`. */
export interface BatchSettings {
  readonly bufferSize: number;
  readonly maxSize: number;
  readonly maxWaitMs: number;
  /** Batches per second, and the burst after an idle period; undefined: no limit. */
  readonly throttle: { readonly perSecond: number; readonly burst: number } | undefined;
}

export interface BatchingSinkOptions extends BatchSettings {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Mode `batch`: requests do not wait for their events. A batch is sent when it is full or its first event has waited maxWaitMs.
 * Events are dropped while the buffer is full.
 */
export function batchingSink(sink: AuditSink, options: BatchingSinkOptions): AuditSink {
  const { bufferSize, maxSize, maxWaitMs, clock, log } = options;
  const rateLimit = createRateLimiter(options);
  const waiting: AuditEvent[] = [];
  let cancel = (): void => {};
  let sending: Promise<void> | undefined;
  let isClosing = false;
  const send = async (): Promise<void> => {
    do {
      const batch = waiting.splice(0, maxSize);
      await rateLimit();
      await sink.processEvents(batch);
    } while (waiting.length >= maxSize || (isClosing && waiting.length > 0));
  };
  const begin = (): void => {
    cancel();
    if (sending || waiting.length === 0) return;
    sending = send().finally(() => {
      sending = undefined;
      plan();
    });
  };
  const plan = (): void => {
    cancel();
    if (waiting.length >= maxSize) begin();
    else if (waiting.length > 0) cancel = clock.schedule(maxWaitMs, begin);
  };
  return {
    async processEvents(events) {
      const wasEmpty = waiting.length === 0;
      const space = Math.max(0, bufferSize - waiting.length);
      waiting.push(...events.slice(0, space));
      if (space < events.length) logDroppedEvents(log, 'buffered', events.slice(space), 'audit buffer queue blocked');
      if (!sending && (wasEmpty || waiting.length >= maxSize)) plan();
      return true;
    },
    async close() {
      isClosing = true;
      begin();
      await sending;
      await sink.close();
    },
  };
}

/** Resolves when the next batch may be sent. */
function createRateLimiter({ throttle, clock }: BatchingSinkOptions): () => Promise<void> {
  if (!throttle) return async () => {};
  const bucket = new TokenBucket(clock, throttle.perSecond, throttle.burst);
  return async () => {
    const waitMs = bucket.reserve();
    if (waitMs > 0) await clock.sleep(waitMs);
  };
}
