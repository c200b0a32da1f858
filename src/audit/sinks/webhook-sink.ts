import { patiently, postDocument, type WebhookConnection, WebhookError } from '../../authz/index.ts';
import type { Env, Outbound } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import { eventListText } from '../event.ts';
import { tellLoss } from './loss.ts';
import type { AuditSink } from './sink.ts';

export interface WebhookSinkParts {
  readonly outbound: Outbound;
  readonly connection: WebhookConnection;
  /** `--audit-webhook-initial-backoff`. */
  readonly firstPauseMs: number;
  readonly product: Product;
  readonly env: Env;
}

const timeoutMs = 30_000;

/** `--audit-webhook-config-file`: posts events to a webhook, with retries. */
export function webhookSink({ outbound, connection, firstPauseMs, product, env }: WebhookSinkParts): AuditSink {
  return {
    async take(events) {
      const body = eventListText(events, product);
      if (body === undefined) {
        tellLoss(env.log, 'webhook', events, 'a body is no JSON');
        return false;
      }
      try {
        await patiently(() => postDocument({ outbound, connection, timeoutMs }, body), env, { firstPauseMs, always: true });
        return true;
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error;
        tellLoss(env.log, 'webhook', events, error);
        return false;
      }
    },
    async close() {
      // Nothing is pending here.
    },
  };
}
