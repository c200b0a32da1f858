import {
  type ApiObject,
  badRequest,
  forbidden,
  invalid,
  invalidObject,
  type JsonObject,
  type LabelSelector,
  labelSelectorRequirements,
  matchesLabels,
  SelectorError,
  StatusError,
} from '../../../meta/index.ts';
import { checkDeletePreconditions, collectionPrefix, type DeleteOptions, type StoredObject } from '../../../registry/index.ts';
import type { corev1, policyv1 } from '../../../schema/api/index.ts';
import { type Decoded, type Resource, requireResource } from '../../../schema/index.ts';
import { checkDeleteOptions, type SentDeleteOptions } from '../../parameters/options.ts';
import { type Answer, nowOf, type RequestContext } from '../../request-context.ts';
import { deleteOne } from '../delete.ts';
import { refOf } from '../get.ts';
import { admitOperation, readOperation, successAnswer } from '../operation.ts';
import { unsafeOption } from '../unsafe-delete.ts';

type Pod = Decoded<corev1.Pod>;
type PodCondition = Decoded<corev1.PodCondition>;
type Budget = Decoded<policyv1.PodDisruptionBudget>;
type BudgetStatus = Decoded<policyv1.PodDisruptionBudgetStatus>;

/** More evictions than this are never under way at a time (upstream MaxDisruptedPodSize). */
const maxDisruptedPods = 2000;
const retryAfterSeconds = 10;

/** Deletes a pod, unless its disruption budget forbids it. Cf. upstream policy EvictionREST. */
export async function evict(context: RequestContext): Promise<Answer> {
  const operation = await readOperation(context, { groupVersion: 'policy/v1', kind: 'Eviction', formerly: 'policy/v1beta1' });
  const { object: eviction } = operation;
  if ((eviction.metadata.name ?? '') !== context.info.name) throw badRequest('name in URL does not match name in Eviction object');
  const { options, dryRun } = readDeletion(eviction, operation.options.dryRun);
  await admitOperation(context, operation);
  const pod = await context.server.store.get(refOf(context));
  if (!isBeyondBudgets(pod.object)) await checkAndDecrement(context, pod.object, dryRun);
  const deleteOptions = dryRun ? options : await markDisruptionTarget(context, pod, options);
  checkDeleteOptions(deleteOptions, context.server.product);
  // The eviction has passed admission; the deletion needs none.
  await deleteOne(context, refOf(context), { options: deleteOptions, dryRun, admit: async () => undefined });
  return successAnswer();
}

interface RequestedDeletion {
  readonly options: SentDeleteOptions;
  readonly dryRun: boolean;
}

/** The deletion itself validates the options: until then, any value of `dryRun` makes it a dry run. */
function readDeletion(eviction: ApiObject, dryRun: boolean): RequestedDeletion {
  const options = (eviction['deleteOptions'] ?? {}) as SentDeleteOptions;
  if (options[unsafeOption] === true) {
    const why = 'can not be set for pod eviction, try after removing the option';
    const errors = [invalid(`deleteOptions.${unsafeOption}`, true, why)];
    throw invalidObject({ group: 'policy', name: 'Eviction' }, eviction.metadata.name ?? '', errors);
  }
  const { dryRun: own = [] } = options;
  if (dryRun && own.length > 0 && own.join(' ') !== 'All')
    throw new StatusError(500, '', `Non-matching dry-run options in request and content: [All] and [${own.join(' ')}]`);
  return { options, dryRun: dryRun || own.length > 0 };
}

/** Pods that do not run are exempt from disruption budgets. */
function isBeyondBudgets({ metadata, status }: Pod): boolean {
  const phase = status?.phase;
  return phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed' || metadata?.deletionTimestamp !== undefined;
}

/** Sets the DisruptionTarget condition. A resourceVersion precondition then applies to the version that this creates. */
async function markDisruptionTarget(context: RequestContext, pod: StoredObject, options: DeleteOptions): Promise<DeleteOptions> {
  const target = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: nowOf(context),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  for (let current: StoredObject | undefined = pod; current; current = await context.server.store.find(refOf(context))) {
    checkDeletePreconditions(refOf(context), options.preconditions ?? {}, current.object);
    const { status }: Pod = current.object;
    const marked = { ...current.object, status: { ...status, conditions: withCondition(status?.conditions, target) } };
    const next = context.kind.decode(marked, { known: current.object });
    const written = await context.server.store.replace(refOf(context), current, next, undefined);
    if (written) return atVersion(options, written.object.metadata.resourceVersion ?? '');
  }
  return options;
}

/** In its place, and since when it was so. Cf. upstream UpdatePodCondition. */
function withCondition(conditions: readonly PodCondition[] = [], condition: PodCondition): readonly PodCondition[] {
  const before = conditions.find(({ type }) => type === condition.type);
  if (!before) return [...conditions, condition];
  const { lastTransitionTime = null } = before.status === condition.status ? before : condition;
  return conditions.map((one) => (one === before ? { ...condition, lastTransitionTime } : one));
}

function atVersion(options: DeleteOptions, resourceVersion: string): DeleteOptions {
  const { preconditions } = options;
  return preconditions?.resourceVersion === undefined ? options : { ...options, preconditions: { ...preconditions, resourceVersion } };
}

/** @throws StatusError 429 when the budget is used up, 500 with two budgets */
async function checkAndDecrement(context: RequestContext, pod: ApiObject, dryRun: boolean): Promise<void> {
  const budgets = requireResource(context.server.catalog, 'policy/v1', 'poddisruptionbudgets');
  for (;;) {
    const [found, ...more] = await budgetsOf(context, budgets, pod);
    if (more.length > 0)
      throw new StatusError(500, '', 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
    if (!found || isExemptFromBudget(pod, found.object)) return;
    const charge = decrementBudget(found.object, context);
    if (dryRun) return;
    const by = { manager: context.server.product.rename('kube-apiserver'), now: nowOf(context) };
    const kind = context.server.kinds.of(budgets);
    const next = kind.decode(kind.ownership('status').updated(found.object, charge, by));
    const ref = { resource: budgets, namespace: context.info.namespace, name: found.object.metadata.name ?? '' };
    if (await context.server.store.replace(ref, found, next, undefined)) return;
  }
}

async function budgetsOf(context: RequestContext, resource: Resource, pod: ApiObject): Promise<readonly StoredObject[]> {
  const labels = pod.metadata.labels ?? {};
  const { store } = context.server;
  const { entries } = await store.keySpace.range({ prefix: collectionPrefix(resource, context.info.namespace) });
  return entries.map((entry) => store.storedObjectOf(entry)).filter(({ object }) => selects(object, labels));
}

function selects({ spec }: Budget, labels: Readonly<Record<string, string>>): boolean {
  if (!spec?.selector) return false;
  try {
    return matchesLabels(labelSelectorRequirements(spec.selector as LabelSelector), labels);
  } catch (error) {
    // A selector that cannot be read means no pod.
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** A pod that is not ready counts in no budget; whether it may go is a matter of policy. */
function isExemptFromBudget(pod: Pod, budget: Budget): boolean {
  if (pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy: healthy = 0, desiredHealthy: desired = 0 } = budget.status ?? {};
  return healthy >= desired && desired > 0;
}

/** The budget with one disruption less. Upstream checkAndDecrement. */
function decrementBudget(budget: ApiObject, context: RequestContext): ApiObject {
  const name = budget.metadata.name ?? '';
  const { status = {} }: Budget = budget;
  const { disruptionsAllowed: allowed = 0, observedGeneration = 0, disruptedPods: disrupted = {} } = status;
  const refuse = (why: string): StatusError => forbidden({ group: 'policy', name: 'poddisruptionbudget' }, name, why);
  if (observedGeneration < (budget.metadata.generation ?? 0))
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, retryAfterSeconds);
  if (allowed < 0) throw refuse('pdb disruptions allowed is negative');
  if (Object.keys(disrupted).length > maxDisruptedPods)
    throw refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (allowed === 0) throw tooMany(usedUp(status, name), 0);
  const disruptedPods = Object.fromEntries([...Object.entries(disrupted), [context.info.name, nowOf(context)]]);
  const conditions = allowed === 1 ? { conditions: withoutLeft(status, nowOf(context)) } : {};
  return { ...budget, status: { ...status, disruptedPods, disruptionsAllowed: allowed - 1, ...conditions } };
}

function usedUp({ desiredHealthy = 0, currentHealthy = 0 }: BudgetStatus, name: string): string {
  return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
}

function withoutLeft({ conditions = [], observedGeneration = 0 }: BudgetStatus, now: string): readonly JsonObject[] {
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const lastTransitionTime = before?.status === 'False' ? (before.lastTransitionTime ?? now) : now;
  const next = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration,
    lastTransitionTime,
    reason: 'InsufficientPods',
    message: '',
  };
  return [...conditions.filter((condition) => condition !== before), next];
}

function tooMany(message: string, seconds: number): StatusError {
  return new StatusError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
  });
}
