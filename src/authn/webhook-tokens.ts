import { type JsonObject, type Product, recordAt, textAt } from '../meta/index.ts';
import { intersectAudiences } from './audiences.ts';
import { type AuthenticationResult, authenticationFailure, type TokenAuthenticator } from './authenticator.ts';

/** Sends a TokenReview to a webhook; supplied by `cluster`. */
export interface TokenReviewer {
  /** Returns the error as text when there is no response. */
  review(tokenReview: JsonObject): Promise<JsonObject | string>;
}

export interface WebhookTokenOptions {
  readonly reviewer: TokenReviewer;
  /** `--authentication-token-webhook-version`. */
  readonly version: 'v1' | 'v1beta1';
  /** Audiences of tokens when the response contains none. */
  readonly audiences: readonly string[];
  readonly product: Product;
}

/** Sends tokens unknown to other methods to a webhook. */
export function webhookTokenAuthenticator({ reviewer, version, audiences, product }: WebhookTokenOptions): TokenAuthenticator {
  const apiVersion = `${product.rename('authentication.k8s.io')}/${version}`;
  return {
    name: 'token webhook',
    async authenticate(token, requested) {
      const spec = { token, ...(requested.length > 0 ? { audiences: requested } : {}) };
      const answer = await reviewer.review({ kind: 'TokenReview', apiVersion, metadata: {}, spec, status: { user: {} } });
      if (typeof answer === 'string') return authenticationFailure(answer);
      return toAuthenticationResult(recordAt(answer, 'status'), requested, audiences);
    },
  };
}

function toAuthenticationResult(status: JsonObject, requested: readonly string[], implicit: readonly string[]): AuthenticationResult {
  const responseAudiences = textsAt(status, 'audiences');
  const audiences = intersectAudiences(requested, responseAudiences.length > 0 ? responseAudiences : implicit);
  if (audiences.length === 0) return undefined;
  if (status['authenticated'] !== true) {
    const { error } = status;
    return typeof error === 'string' && error !== '' ? authenticationFailure(error) : undefined;
  }
  const user = recordAt(status, 'user');
  const extra = recordAt(user, 'extra');
  return {
    user: {
      username: textAt(user, 'username'),
      uid: textAt(user, 'uid'),
      groups: textsAt(user, 'groups'),
      extra: Object.fromEntries(Object.keys(extra).map((key) => [key, textsAt(extra, key)])),
    },
    audiences,
  };
}

/** Unlike meta's textsAt: other values become strings that match no audience, so such a response is not valid for all audiences. */
function textsAt(object: JsonObject, name: string): readonly string[] {
  const value = object[name];
  return Array.isArray(value) ? value.map(String) : [];
}
