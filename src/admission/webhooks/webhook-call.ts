import { type AccessAttributes, type AccessDecision, evaluateWithLookups } from '../../cel/index.ts';
import { createPace, type Random } from '../../env/index.ts';
import { type ApiObject, internalError, type JsonObject, type Product, StatusError } from '../../meta/index.ts';
import type { AdmissionRequest } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import type { ObjectCache } from '../object-cache.ts';
import { checkMatchConditions } from '../policies/evaluate-policy.ts';
import { OutOfBudget } from '../policies/evaluation.ts';
import { type MatchAttributes, matchResource } from '../policies/match-resources.ts';
import type { PolicyContext } from '../policies/policy-context.ts';
import { createPolicyVariables, createSharedVariables, type VersionedAttributes } from '../policies/request-variables.ts';
import { createReview, type DecodeReview, type ReviewResponse, verifyResponse, WebhookFailure, type WebhookType } from './review.ts';
import { readWebhooks, type Webhook, type WebhookClient } from './webhook.ts';

/** Dependencies of the webhook plugins; supplied by `cluster`. */
export interface WebhookOptions {
  /** The objects of kind ValidatingWebhookConfiguration. */
  readonly validating: ObjectCache;
  /** The objects of kind MutatingWebhookConfiguration. */
  readonly mutating: ObjectCache;
  readonly policyContext: PolicyContext;
  readonly random: Random;
  readonly product: Product;
  readonly decodeReview: DecodeReview;
  /** Posts a review; the response is an unvalidated JSON object. @throws WebhookFailure */
  readonly post: (client: WebhookClient, review: JsonObject, timeoutMs: number) => Promise<JsonObject>;
}

/** Returns the current webhooks of all configurations, in order. They are read again when one has changed. */
export function webhookSource(configurations: ObjectCache): () => readonly Webhook[] {
  let read: { readonly from: readonly ApiObject[]; readonly webhooks: readonly Webhook[] } = { from: [], webhooks: [] };
  return () => {
    const { all } = configurations;
    if (read.from !== all) read = { from: all, webhooks: readWebhooks(all) };
    return read.webhooks;
  };
}

/**
 * The write as a webhook receives it; undefined when the webhook does not match it.
 * @throws StatusError 403 when a condition cannot be evaluated
 */
export async function matchWebhook(
  webhook: Webhook,
  write: MatchAttributes,
  context: PolicyContext,
): Promise<VersionedAttributes | undefined> {
  const matched = webhook.match.rules.length === 0 ? undefined : await matchResource(webhook.match, write);
  if (!matched) return undefined;
  const inVersion = async (object: ApiObject | undefined): Promise<ApiObject | undefined> => object && context.inVersion(object, matched);
  const { request } = write;
  const attributes: VersionedAttributes = {
    request,
    matched,
    namespaceObject: undefined,
    object: await inVersion(write.object),
    oldObject: await inVersion(write.oldObject),
  };
  const problem = await checkConditions(webhook, attributes, context);
  if (problem === undefined) return attributes;
  if (problem === 'does not match' || webhook.ignoresFailures) return undefined;
  throw createForbiddenError(request, write.object, problem.error);
}

function checkConditions(
  webhook: Webhook,
  attributes: VersionedAttributes,
  context: PolicyContext,
): ReturnType<typeof checkMatchConditions> {
  const values = createSharedVariables(attributes);
  const pace = createPace(context.clock);
  return evaluateWithLookups<AccessAttributes, AccessDecision, Awaited<ReturnType<typeof checkMatchConditions>>>(
    async (lookup) => {
      try {
        const { conditions } = createPolicyVariables(attributes, values, undefined, lookup);
        return await checkMatchConditions({ conditions: await webhook.conditions(pace), variables: new Map() }, conditions, pace);
      } catch (error) {
        if (error instanceof OutOfBudget) return { error: error.message };
        throw error;
      }
    },
    (access) => context.checkAccess(attributes.request.user, access),
  );
}

/**
 * Calls a webhook, and passes its warnings and audit annotations on. @throws WebhookFailure, and StatusError 400 for a dry run of a webhook
 * with side effects
 */
export async function callWebhook(
  webhook: Webhook,
  type: WebhookType,
  attributes: VersionedAttributes,
  options: WebhookOptions,
): Promise<ReviewResponse> {
  const { clock, meter } = options.policyContext;
  const startMs = clock.monotonicMs();
  let rejected = true;
  try {
    const response = await review(webhook, type, attributes, options);
    rejected = !response.allowed;
    return response;
  } catch (error) {
    rejected = !(error instanceof WebhookFailure && webhook.ignoresFailures);
    throw error;
  } finally {
    const labels = { name: webhook.name, operation: attributes.request.operation, rejected: String(rejected) };
    meter.observeWebhook({ ...labels, type: type === 'mutating' ? 'admit' : type }, (clock.monotonicMs() - startMs) / 1000);
  }
}

async function review(
  webhook: Webhook,
  type: WebhookType,
  attributes: VersionedAttributes,
  { post, random, product, decodeReview: decode }: WebhookOptions,
): Promise<ReviewResponse> {
  const { request } = attributes;
  const { name, sideEffects, client, timeoutMs } = webhook;
  if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun')
    throw new StatusError(400, 'BadRequest', `admission webhook ${JSON.stringify(name)} does not support dry run`);
  const uid = random.uuid();
  const sent = await post(client, createReview(attributes, uid, webhook, product), timeoutMs);
  const response = verifyResponse(sent, { uid, webhook, type, product, decode });
  for (const [key, value] of Object.entries(response.auditAnnotations)) request.annotate(() => ({ [`${name}/${key}`]: value }));
  for (const text of response.warnings) request.warn(text);
  return response;
}

/** Ignores a failed call of a webhook with the policy `Ignore`, and annotates it. @throws StatusError, and other errors unchanged */
export function ignoreFailure(error: unknown, { name, ignoresFailures }: Webhook, request: AdmissionRequest, auditKey: string): undefined {
  if (!(error instanceof WebhookFailure)) throw error;
  if (!ignoresFailures) throw internalError(`failed calling webhook ${JSON.stringify(name)}: ${error.message}`, error);
  request.annotate(() => ({ [auditKey]: name }));
  return undefined;
}
