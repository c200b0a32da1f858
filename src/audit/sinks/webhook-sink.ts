import { postDocument, retryWithBackoff, type WebhookConnection, WebhookError } from '../../authz/index.ts';
import type { Env, Outbound } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import { encodeEventList } from '../event.ts';
import { logDroppedEvents } from './dropped-events.ts';
import type { AuditSink } from './sink.ts';

export interface WebhookSinkOptions {
  readonly outbound: Outbound;
  readonly connection: WebhookConnection;
  /** `--audit-webhook-initial-backoff`. */
  readonly initialBackoffMs: number;
  readonly product: Product;
  readonly env: Env;
}

const timeoutMs = 30_000;

/** `--audit-webhook-config-file`: posts events to a webhook, with retries. */
export function webhookSink({ outbound, connection, initialBackoffMs: firstPauseMs, product, env }: WebhookSinkOptions): AuditSink {
  return {
    async processEvents(events) {
      const body = encodeEventList(events, product);
      if (body === undefined) {
        logDroppedEvents(env.log, 'webhook', events, 'a body is no JSON');
        return false;
      }
      try {
        await retryWithBackoff(() => postDocument({ outbound, connection, timeoutMs }, body), env, {
          initialBackoffMs: firstPauseMs,
          retriesAll: true,
        });
        return true;
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error;
        logDroppedEvents(env.log, 'webhook', events, error);
        return false;
      }
    },
    async close() {
      // Nothing is pending here.
    },
  };
}
