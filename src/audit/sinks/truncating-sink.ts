import type { Log } from '../../env/index.ts';
import { byteLength, type Product } from '../../meta/index.ts';
import { type AuditEvent, encodeEvent } from '../event.ts';
import { isLevelAtLeast } from '../policy.ts';
import { logDroppedEvents } from './dropped-events.ts';
import type { AuditSink } from './sink.ts';

export interface TruncateSettings {
  /** In bytes. */
  readonly maxEventSize: number;
  readonly maxBatchSize: number;
}

export interface TruncatingSinkOptions extends TruncateSettings {
  readonly product: Product;
  readonly log: Log;
}

/** Limits the size of events: too large ones lose their bodies, or else are dropped. Large batches are split. */
export function truncatingSink(sink: AuditSink, { maxEventSize, maxBatchSize, product, log }: TruncatingSinkOptions): AuditSink {
  // The line feed counts. A body that is not JSON has no size; the sink reports it.
  const sizeOf = (event: AuditEvent): number => byteLength(encodeEvent(event, product) ?? '') + 1;
  return {
    async processEvents(events) {
      let allSent = true;
      let batch: AuditEvent[] = [];
      let batchSize = 0;
      const pass = async (): Promise<void> => {
        if (batch.length > 0 && !(await sink.processEvents(batch))) allSent = false;
        batch = [];
        batchSize = 0;
      };
      for (const whole of events) {
        const isLarge = sizeOf(whole) > maxEventSize && isLevelAtLeast(whole.level, 'Request');
        const event = isLarge ? withoutBodies(whole, product) : whole;
        const size = sizeOf(event);
        if (size > maxEventSize) {
          logDroppedEvents(log, 'truncate', [event], 'event is too large even after truncating');
          continue;
        }
        if (batchSize + size > maxBatchSize) await pass();
        batch.push(event);
        batchSize += size;
      }
      await pass();
      return allSent;
    },
    close: () => sink.close(),
  };
}

function withoutBodies(event: AuditEvent, product: Product): AuditEvent {
  const annotations = { ...event.annotations, [product.rename('audit.k8s.io/truncated')]: 'true' };
  return { ...event, requestObject: undefined, responseObject: undefined, annotations };
}
