import type { Log } from '../../env/index.ts';
import { byteLength, type Product } from '../../meta/index.ts';
import { type AuditEvent, eventText } from '../event.ts';
import { tells } from '../policy.ts';
import { tellLoss } from './loss.ts';
import type { AuditSink } from './sink.ts';

export interface TruncateSettings {
  /** In bytes. */
  readonly maxEventSize: number;
  readonly maxBatchSize: number;
}

export interface TruncatingParts extends TruncateSettings {
  readonly product: Product;
  readonly log: Log;
}

/** Limits the size of events: too large ones lose their bodies, or else are dropped. Large batches are split. */
export function truncatingSink(sink: AuditSink, { maxEventSize, maxBatchSize, product, log }: TruncatingParts): AuditSink {
  // The line feed counts. A body that is not JSON has no size; the sink reports it.
  const sizeOf = (event: AuditEvent): number => byteLength(eventText(event, product) ?? '') + 1;
  return {
    async take(events) {
      let isWhole = true;
      let batch: AuditEvent[] = [];
      let batchSize = 0;
      const pass = async (): Promise<void> => {
        if (batch.length > 0 && !(await sink.take(batch))) isWhole = false;
        batch = [];
        batchSize = 0;
      };
      for (const whole of events) {
        const isLarge = sizeOf(whole) > maxEventSize && tells(whole.level, 'Request');
        const event = isLarge ? withoutBodies(whole, product) : whole;
        const size = sizeOf(event);
        if (size > maxEventSize) {
          tellLoss(log, 'truncate', [event], 'event is too large even after truncating');
          continue;
        }
        if (batchSize + size > maxBatchSize) await pass();
        batch.push(event);
        batchSize += size;
      }
      await pass();
      return isWhole;
    },
    close: () => sink.close(),
  };
}

function withoutBodies(event: AuditEvent, product: Product): AuditEvent {
  const annotations = { ...event.annotations, [product.rename('audit.k8s.io/truncated')]: 'true' };
  return { ...event, requestObject: undefined, responseObject: undefined, annotations };
}
