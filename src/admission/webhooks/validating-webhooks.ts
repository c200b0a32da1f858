import { type AccessAttributes, type AccessDecision, environments, evaluateWithLookups } from '../../cel/index.ts';
import type { Random } from '../../env/index.ts';
import { createPace } from '../../env/index.ts';
import { type ApiObject, internalError, type JsonObject, type Product, StatusError } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import type { ObjectCache } from '../object-cache.ts';
import { checkMatchConditions } from '../policies/evaluate-policy.ts';
import { OutOfBudget } from '../policies/evaluation.ts';
import { type MatchAttributes, matchResource } from '../policies/match-resources.ts';
import { createMatchAttributes, type PolicyContext } from '../policies/policy-context.ts';
import { createPolicyVariables, createSharedVariables, type VersionedAttributes } from '../policies/request-variables.ts';
import { createReview, toStatusError, verifyResponse, WebhookFailure } from './review.ts';
import { readWebhooks, type Webhook, type WebhookClient } from './webhook.ts';

/** Dependencies of the webhook plugin; supplied by `cluster`. */
export interface WebhookOptions {
  readonly configurations: ObjectCache;
  readonly policyContext: PolicyContext;
  readonly random: Random;
  readonly product: Product;
  /** Posts a review; the response is an unvalidated JSON object. @throws WebhookFailure */
  readonly post: (client: WebhookClient, review: JsonObject, timeoutMs: number) => Promise<JsonObject>;
}

/** A matched webhook, with the write to send. */
interface Invocation {
  readonly webhook: Webhook;
  readonly attributes: VersionedAttributes;
}

/** Calls the matching webhooks in parallel; any may reject. Cf. upstream plugin/webhook/validating. */
export function validatingWebhooks(options: WebhookOptions): AdmissionPlugin {
  const group = options.product.rename('admissionregistration.k8s.io');
  const known = environments();
  let read: { readonly from: readonly ApiObject[]; readonly webhooks: readonly Webhook[] } = { from: [], webhooks: [] };
  const webhooks = (): readonly Webhook[] => {
    const { all } = options.configurations;
    if (read.from !== all) read = { from: all, webhooks: readWebhooks(all, known) };
    return read.webhooks;
  };
  return {
    name: 'ValidatingAdmissionWebhook',
    // Webhooks cannot block changes to their own configurations.
    handles: (write) => write.group !== group,
    async validate(request, object, old) {
      if (webhooks().length === 0) return;
      const write = createMatchAttributes(request, object, old, options.policyContext);
      const invocations: Invocation[] = [];
      for (const webhook of webhooks()) invocations.push(...(await matchWebhook(webhook, write, options)));
      const rejections = await Promise.all(invocations.map((invocation, index) => invokeWebhook(invocation, index, options)));
      const first = rejections.find((one) => one !== undefined);
      if (first) throw first;
    },
  };
}

/** @throws StatusError 403 when a condition cannot be evaluated */
async function matchWebhook(
  webhook: Webhook,
  write: MatchAttributes,
  { policyContext: context }: WebhookOptions,
): Promise<readonly Invocation[]> {
  const matched = webhook.match.rules.length === 0 ? undefined : await matchResource(webhook.match, write);
  if (!matched) return [];
  const inVersion = (object: ApiObject | undefined): ApiObject | undefined => object && context.inVersion(object, matched);
  const { request } = write;
  const attributes: VersionedAttributes = {
    request,
    matched,
    namespaceObject: undefined,
    object: inVersion(write.object),
    oldObject: inVersion(write.oldObject),
  };
  const problem = await checkConditions(webhook, attributes, context);
  if (problem === undefined) return [{ webhook, attributes }];
  if (problem === 'does not match' || webhook.ignoresFailures) return [];
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

async function invokeWebhook(
  { webhook, attributes }: Invocation,
  index: number,
  options: WebhookOptions,
): Promise<StatusError | undefined> {
  const { request } = attributes;
  try {
    return await callWebhook(webhook, attributes, options);
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    if (!webhook.ignoresFailures) {
      const message = `failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`;
      return internalError(message, error);
    }
    const key = options.product.rename('failed-open.validating.webhook.admission.k8s.io/round_0_index_');
    request.annotate(() => ({ [`${key}${index}`]: webhook.name }));
    return undefined;
  }
}

/** @throws WebhookFailure */
async function callWebhook(
  webhook: Webhook,
  attributes: VersionedAttributes,
  { post, random, product }: WebhookOptions,
): Promise<StatusError | undefined> {
  const { request } = attributes;
  const { name, sideEffects, client, timeoutMs } = webhook;
  if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun')
    return new StatusError(400, 'BadRequest', `admission webhook ${JSON.stringify(name)} does not support dry run`);
  const uid = random.uuid();
  const answer = verifyResponse(await post(client, createReview(attributes, uid, webhook, product), timeoutMs), uid, webhook, product);
  for (const [key, value] of Object.entries(answer.auditAnnotations)) request.annotate(() => ({ [`${name}/${key}`]: value }));
  for (const text of answer.warnings) request.warn(text);
  return answer.allowed ? undefined : toStatusError(name, answer.status);
}
