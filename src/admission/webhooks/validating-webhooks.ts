import { type AccessAnswer, type AccessQuestion, environments, evaluateAsking } from '../../cel/index.ts';
import type { Random } from '../../env/index.ts';
import { createPace } from '../../env/index.ts';
import { type ApiObject, internalError, type JsonObject, type Product, StatusError } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import type { FollowedObjects } from '../followed-objects.ts';
import { OutOfBudget } from '../policies/evaluation.ts';
import { conditionProblem } from '../policies/judge.ts';
import { type MatchedWrite, matchedAs } from '../policies/match-resources.ts';
import { policyValues, type SeenWrite, seenValues } from '../policies/request-values.ts';
import { matchedWrite, type PolicyWorld } from '../policies/world.ts';
import { refusal } from '../refusal.ts';
import { readAnswer, refusalBy, reviewOf, WebhookFailure } from './review.ts';
import { readWebhooks, type Webhook, type WebhookClient } from './webhook.ts';

/** Dependencies of the webhook plugin; supplied by `cluster`. */
export interface WebhookTools {
  readonly configurations: FollowedObjects;
  readonly world: PolicyWorld;
  readonly random: Random;
  readonly product: Product;
  /** Posts a review; the response is an unvalidated JSON object. @throws WebhookFailure */
  readonly post: (client: WebhookClient, review: JsonObject, timeoutMs: number) => Promise<JsonObject>;
}

/** A matched webhook, with the write to send. */
interface Invocation {
  readonly webhook: Webhook;
  readonly seen: SeenWrite;
}

/** Calls the matching webhooks in parallel; any may reject. Cf. upstream plugin/webhook/validating. */
export function validatingWebhooks(tools: WebhookTools): AdmissionPlugin {
  const group = tools.product.rename('admissionregistration.k8s.io');
  const known = environments();
  let read: { readonly from: readonly ApiObject[]; readonly webhooks: readonly Webhook[] } = { from: [], webhooks: [] };
  const webhooks = (): readonly Webhook[] => {
    const { all } = tools.configurations;
    if (read.from !== all) read = { from: all, webhooks: readWebhooks(all, known) };
    return read.webhooks;
  };
  return {
    name: 'ValidatingAdmissionWebhook',
    // Webhooks cannot block changes to their own configurations.
    concerns: (write) => write.group !== group,
    async validate(request, object, old) {
      if (webhooks().length === 0) return;
      const write = matchedWrite(request, object, old, tools.world);
      const invocations: Invocation[] = [];
      for (const webhook of webhooks()) invocations.push(...(await invoked(webhook, write, tools)));
      const refusals = await Promise.all(invocations.map((invocation, index) => refusalOf(invocation, index, tools)));
      const first = refusals.find((one) => one !== undefined);
      if (first) throw first;
    },
  };
}

/** @throws StatusError 403 when a condition cannot be evaluated */
async function invoked(webhook: Webhook, write: MatchedWrite, { world }: WebhookTools): Promise<readonly Invocation[]> {
  const matched = webhook.match.rules.length === 0 ? undefined : await matchedAs(webhook.match, write);
  if (!matched) return [];
  const inVersion = (object: ApiObject | undefined): ApiObject | undefined => object && world.inVersion(object, matched);
  const { request } = write;
  const seen: SeenWrite = {
    request,
    matched,
    namespaceObject: undefined,
    object: inVersion(write.object),
    oldObject: inVersion(write.oldObject),
  };
  const problem = await problemOf(webhook, seen, world);
  if (problem === undefined) return [{ webhook, seen }];
  if (problem === 'does not match' || webhook.ignoresFailures) return [];
  throw refusal(request, write.object, problem.error);
}

function problemOf(webhook: Webhook, seen: SeenWrite, world: PolicyWorld): ReturnType<typeof conditionProblem> {
  const values = seenValues(seen);
  const pace = createPace(world.clock);
  return evaluateAsking<AccessQuestion, AccessAnswer, Awaited<ReturnType<typeof conditionProblem>>>(
    async (ask) => {
      try {
        const { conditions } = policyValues(seen, values, undefined, ask);
        return await conditionProblem({ conditions: await webhook.conditions(pace), variables: new Map() }, conditions, pace);
      } catch (error) {
        if (error instanceof OutOfBudget) return { error: error.message };
        throw error;
      }
    },
    (question) => world.mayAccess(seen.request.user, question),
  );
}

async function refusalOf({ webhook, seen }: Invocation, index: number, tools: WebhookTools): Promise<StatusError | undefined> {
  const { request } = seen;
  try {
    return await ask(webhook, seen, tools);
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    if (!webhook.ignoresFailures) {
      const message = `failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`;
      return internalError(message, error);
    }
    const key = tools.product.rename('failed-open.validating.webhook.admission.k8s.io/round_0_index_');
    request.annotate(() => ({ [`${key}${index}`]: webhook.name }));
    return undefined;
  }
}

/** @throws WebhookFailure */
async function ask(webhook: Webhook, seen: SeenWrite, { post, random, product }: WebhookTools): Promise<StatusError | undefined> {
  const { request } = seen;
  const { name, sideEffects, client, timeoutMs } = webhook;
  if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun')
    return new StatusError(400, 'BadRequest', `admission webhook ${JSON.stringify(name)} does not support dry run`);
  const uid = random.uuid();
  const answer = readAnswer(await post(client, reviewOf(seen, uid, webhook, product), timeoutMs), uid, webhook, product);
  for (const [key, value] of Object.entries(answer.auditAnnotations)) request.annotate(() => ({ [`${name}/${key}`]: value }));
  for (const text of answer.warnings) request.warn(text);
  return answer.allowed ? undefined : refusalBy(name, answer.status);
}
