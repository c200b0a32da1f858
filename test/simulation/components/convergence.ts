import type { KubeObject } from '../../../src/client/index.ts';
import type { appsv1, batchv1 } from '../../../src/schema/api/index.ts';
import { type Rule, rules } from '../checker/violation.ts';
import { appLabel } from './manifests.ts';
import type { ObservedState } from './observed-state.ts';
import { isActive, isFinished, readySinceMs } from './pod-facts.ts';

/** A rule that is not met yet. */
export interface Unmet {
  readonly rule: Rule;
  readonly detail: string;
}

/** What has not reached its desired state yet. */
export function unmetGoal(state: ObservedState): Unmet | undefined {
  for (const detail of uncollected(state)) return { rule: rules.owned, detail };
  for (const detail of unmetGoals(state)) return { rule: rules.converged, detail };
  return undefined;
}

function* unmetGoals(state: ObservedState): Generator<string> {
  yield* unmetByObjects(state);
  yield* unmetByNodes(state);
  yield* unmetByDeployments(state);
  yield* unmetByReplicaSets(state);
  yield* unmetByStatefulSets(state);
  yield* unmetByDaemonSets(state);
  yield* unmetByJobs(state);
  yield* unmetByQuotas(state);
  yield* unmetByBudgets(state);
}

const nameOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;

/** Dependents have an owner. */
function* uncollected(state: ObservedState): Generator<string> {
  const uids = new Set<string>();
  for (const { metadata } of state.all()) uids.add(metadata.uid ?? '');
  for (const object of state.all()) {
    const { ownerReferences = [] } = object.metadata;
    if (ownerReferences.length > 0 && !ownerReferences.some(({ uid }) => uids.has(uid))) yield `${nameOf(object)} has no owner`;
  }
}

/** Nothing is terminating, and pods are ready. */
function* unmetByObjects(state: ObservedState): Generator<string> {
  for (const object of state.all()) {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp !== undefined) yield `${nameOf(object)} is not removed: ${finalizers}`;
  }
  for (const pod of state.list('Pod')) {
    if (isActive(pod) && readySinceMs(pod) === undefined && !isOfJob(pod)) yield `${nameOf(pod)} is not ready`;
  }
}

const isOfJob = ({ metadata }: KubeObject): boolean => metadata.ownerReferences?.[0]?.kind === 'Job';

function* unmetByNodes(state: ObservedState): Generator<string> {
  for (const node of state.list('Node')) if ((node.spec.taints ?? []).length > 0) yield `${nameOf(node)} is tainted`;
}

function* unmetByDeployments(state: ObservedState): Generator<string> {
  for (const deployment of state.list('Deployment')) {
    const { metadata, spec, status } = deployment;
    const replicas = spec.replicas ?? 1;
    const { observedGeneration, updatedReplicas = 0, availableReplicas = 0 } = status;
    const detail = `${nameOf(deployment)} of ${replicas}: ${JSON.stringify({ ...status, conditions: undefined })}`;
    if (observedGeneration !== metadata.generation) yield detail;
    if (spec.paused || isWaitingForScale(state, deployment)) continue;
    if (![status.replicas ?? 0, updatedReplicas, availableReplicas].every((count) => count === replicas)) yield detail;
    const old = state.controlled('ReplicaSet', deployment).filter((set) => set.spec.replicas === 0);
    if (old.length > (spec.revisionHistoryLimit ?? 10) + 1) yield `${nameOf(deployment)} has ${old.length} old replica sets`;
  }
}

/**
 * A controller that finds active replica sets of another number of replicas scales instead of rolling out. With several of them, as an
 * adoption leaves them, it scales none for Recreate, and so does nothing (recorded: deployment/41-recreate-scaled).
 */
function isWaitingForScale(state: ObservedState, deployment: appsv1.Deployment): boolean {
  const active = state.controlled('ReplicaSet', deployment).filter(({ spec }) => spec.replicas !== 0);
  const desiredOf = ({ metadata }: appsv1.ReplicaSet): string | undefined =>
    Object.entries(metadata.annotations ?? {}).find(([name]) => name.endsWith('/desired-replicas'))?.[1];
  const isScaled = active.some((set) => (desiredOf(set) ?? `${deployment.spec.replicas}`) !== `${deployment.spec.replicas}`);
  return deployment.spec.strategy?.type === 'Recreate' && active.length > 1 && isScaled;
}

function* unmetByReplicaSets(state: ObservedState): Generator<string> {
  for (const set of state.list('ReplicaSet')) {
    const pods = state.controlled('Pod', set).filter(isActive).length;
    const { replicas = 0, readyReplicas = 0, observedGeneration } = set.status;
    const isMet = [pods, replicas, readyReplicas].every((count) => count === set.spec.replicas);
    if (!isMet || observedGeneration !== set.metadata.generation) yield `${nameOf(set)} of ${set.spec.replicas}: ${pods} pods`;
  }
}

function* unmetByStatefulSets(state: ObservedState): Generator<string> {
  for (const set of state.list('StatefulSet')) {
    const { spec, status, metadata } = set;
    const pods = state.controlled('Pod', set).filter(isActive);
    const replicas = spec.replicas ?? 1;
    const detail = `${nameOf(set)} of ${replicas}: ${JSON.stringify(status)}`;
    if (![pods.length, status.replicas ?? 0, status.readyReplicas ?? 0].every((count) => count === replicas)) yield detail;
    if (status.observedGeneration !== metadata.generation) yield detail;
    const isWhole = spec.updateStrategy?.type === 'RollingUpdate' && (spec.updateStrategy.rollingUpdate?.partition ?? 0) === 0;
    if (isWhole && status.currentRevision !== status.updateRevision) yield detail;
  }
}

function* unmetByDaemonSets(state: ObservedState): Generator<string> {
  const nodes = state.list('Node').length;
  for (const set of state.list('DaemonSet')) {
    const { desiredNumberScheduled = 0, numberReady = 0, updatedNumberScheduled = 0, observedGeneration } = set.status;
    const counts = [desiredNumberScheduled, numberReady, updatedNumberScheduled, state.controlled('Pod', set).filter(isActive).length];
    if (!counts.every((count) => count === nodes) || observedGeneration !== set.metadata.generation) yield `${nameOf(set)}: ${counts}`;
  }
}

function* unmetByJobs(state: ObservedState): Generator<string> {
  for (const job of state.list('Job')) {
    const pods = state.controlled('Pod', job);
    const active = pods.filter(isActive).length;
    const { conditions = [], uncountedTerminatedPods: uncounted } = job.status;
    const ends = conditions.filter(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True').length;
    const mayRest = job.spec.suspend === true || job.spec.parallelism === 0;
    const isPending = (uncounted?.succeeded?.length ?? 0) + (uncounted?.failed?.length ?? 0) > 0;
    const detail = `${nameOf(job)}: ${active} active, ${JSON.stringify(job.status)}`;
    if (ends > 1 || active > 0 || isPending || (job.status.active ?? 0) > 0) yield detail;
    if (ends === 0 && !mayRest) yield detail;
    if (pods.some((pod) => isFinished(pod) && (pod.metadata.finalizers ?? []).length > 0)) yield `${nameOf(job)} has tracked pods`;
    if (mustBeRemoved(job)) yield `${nameOf(job)} outlives its TTL`;
  }
}

const mustBeRemoved = ({ spec, status }: batchv1.Job): boolean =>
  spec.ttlSecondsAfterFinished !== undefined && status.completionTime !== undefined;

function* unmetByQuotas(state: ObservedState): Generator<string> {
  const used = state.list('Pod').filter((pod) => pod.metadata.namespace === 'default' && !isFinished(pod)).length;
  for (const quota of state.list('ResourceQuota')) {
    const { status, spec } = quota;
    if (JSON.stringify(status.hard) !== JSON.stringify(spec.hard))
      yield `${nameOf(quota)} of ${JSON.stringify(spec)}: ${JSON.stringify(status)}`;
    if (Number(status.used?.['pods']) !== used) yield `${nameOf(quota)} with ${used} pods: ${JSON.stringify(status)}`;
  }
}

function* unmetByBudgets(state: ObservedState): Generator<string> {
  for (const budget of state.list('PodDisruptionBudget')) {
    const { metadata, spec, status } = budget;
    const app = spec.selector?.matchLabels?.[appLabel];
    const healthy = state.list('Pod').filter((pod) => pod.metadata.labels?.[appLabel] === app && readySinceMs(pod) !== undefined).length;
    const isMet = status.observedGeneration === metadata.generation && status.currentHealthy === healthy;
    if (!isMet) yield `${nameOf(budget)} with ${healthy} healthy pods: ${JSON.stringify(status)}`;
  }
}
