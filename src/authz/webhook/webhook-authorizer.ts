import type { Clock, Log, Outbound, Random } from '../../env/index.ts';
import { type JsonObject, type Product, stringifyJson } from '../../meta/index.ts';
import type { Attributes } from '../attributes.ts';
import { type Authorizer, type Decision, noOpinion, noRules } from '../authorizer.ts';
import type { WebhookSettings } from '../config/settings.ts';
import { postSubjectAccessReview, type ReviewStatus, type WebhookConnection, WebhookError } from './connection.ts';
import { createMatcher } from './match-conditions.ts';
import { retryWithBackoff } from './retry.ts';
import { createReviewSpec } from './subject-access-review.ts';

export interface WebhookAuthorizerOptions {
  readonly outbound: Outbound;
  readonly connection: WebhookConnection;
  readonly product: Product;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Maximum number of cached responses. */
const maxCachedResponses = 8192;
/** Longer requests are not cached: clients choose their length. */
const maxCachedLength = 10_000;

const notMatched = noOpinion('', '');

/** Delegates decisions to a webhook. Cf. upstream plugin/pkg/authorizer/webhook. @throws MatchConditionError */
export function webhookAuthorizer(name: string, settings: WebhookSettings, parts: WebhookAuthorizerOptions): Authorizer {
  const { clock, random, log, outbound, connection, product } = parts;
  const { version, timeoutMs } = settings;
  const matcher = createMatcher(settings.matchConditions);
  const cache = new ResponseCache(clock);
  const call = { outbound, connection, version, timeoutMs, product };

  const sendReview = (reviewSpec: JsonObject): Promise<ReviewStatus> =>
    retryWithBackoff(() => postSubjectAccessReview(call, reviewSpec), { clock, random });

  async function reviewWithCache(attributes: Attributes, reviewSpec: JsonObject): Promise<Decision> {
    const key = stringifyJson(reviewSpec);
    const before = cache.get(key);
    if (before) return decisionOf(name, before);
    try {
      const status = await sendReview(reviewSpec);
      const ttlMs = status.allowed ? settings.authorizedTtlMs : settings.unauthorizedTtlMs;
      if (ttlMs > 0 && lengthOf(attributes) < maxCachedLength) cache.add(key, status, ttlMs);
      return decisionOf(name, status);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      log.warn('authorization webhook failed', { name, error });
      return applyFailurePolicy(error.message);
    }
  }

  function applyFailurePolicy(error: string): Decision {
    const verdict = settings.failurePolicy === 'Deny' ? 'deny' : 'no-opinion';
    return { verdict, reason: '', evidence: `webhook ${name} failed`, error };
  }

  return {
    name: 'Webhook',
    authorize(attributes) {
      const reviewSpec = createReviewSpec(attributes);
      const { matches, error } = matcher(reviewSpec);
      if (error !== '') return applyFailurePolicy(error);
      return matches ? reviewWithCache(attributes, reviewSpec) : notMatched;
    },
    rulesFor: () => ({ ...noRules, incomplete: true, error: 'webhook authorizer does not support user rule resolution' }),
  };
}

function decisionOf(name: string, { allowed, denied, reason }: ReviewStatus): Decision {
  const evidence = `webhook ${name}${reason === '' ? '' : `: ${reason}`}`;
  if (denied && allowed) {
    return { verdict: 'deny', reason, evidence, error: 'webhook subject access review returned both allow and deny response' };
  }
  return { verdict: denied ? 'deny' : allowed ? 'allow' : 'no-opinion', reason, evidence };
}

function lengthOf({ namespace, verb, group, version, resource, subresource, name, path }: Attributes): number {
  return [namespace, verb, group, version, resource, subresource, name, path].join('').length;
}

/** A cache of responses with expiry; evicts the least recently used. */
class ResponseCache {
  readonly #clock: Clock;
  readonly #entries: Map<string, { readonly status: ReviewStatus; readonly untilMs: number }> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): ReviewStatus | undefined {
    const found = this.#entries.get(key);
    if (!found) return undefined;
    this.#entries.delete(key);
    if (found.untilMs < this.#clock.monotonicMs()) return undefined;
    this.#entries.set(key, found);
    return found.status;
  }

  add(key: string, status: ReviewStatus, ttlMs: number): void {
    this.#entries.set(key, { status, untilMs: this.#clock.monotonicMs() + ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxCachedResponses) return;
      this.#entries.delete(oldest);
    }
  }
}
