import { cachedTokenAuthenticator, type TokenAuthenticator, webhookTokenAuthenticator } from '../../authn/index.ts';
import { postReview, retryWithBackoff, type WebhookConnection, WebhookError } from '../../authz/index.ts';
import type { Env, Outbound } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import { issuersAndAudiences, type ServiceAccountOptions } from './authentication.ts';

export interface WebhookTokenOptions {
  readonly outbound: Outbound;
  readonly connection: WebhookConnection;
  readonly version: 'v1' | 'v1beta1';
  /** `--authentication-token-webhook-cache-ttl`. */
  readonly cacheMs: number;
  readonly serviceAccounts: Pick<ServiceAccountOptions, 'issuers' | 'audiences'>;
  readonly env: Env;
  readonly product: Product;
}

const timeoutMs = 30_000;

/** `--authentication-token-webhook-config-file`. */
export function createWebhookTokens(options: WebhookTokenOptions): TokenAuthenticator {
  const { outbound, connection, version, cacheMs, env, product } = options;
  const { audiences } = issuersAndAudiences(options.serviceAccounts, product);
  const method = webhookTokenAuthenticator({
    version,
    audiences,
    product,
    reviewer: {
      async review(question) {
        try {
          return await retryWithBackoff(() => postReview({ outbound, connection, timeoutMs }, question), env);
        } catch (error) {
          if (!(error instanceof WebhookError)) throw error;
          env.log.warn('token webhook failed', { url: connection.url, error });
          return error.message;
        }
      },
    },
  });
  return cacheMs > 0 ? cachedTokenAuthenticator(method, env.clock, { authenticatedTtlMs: cacheMs, unknownTtlMs: cacheMs }) : method;
}
