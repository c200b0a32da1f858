import type { appsv1, corev1 } from '../../../../src/schema/api/index.ts';
import { check, rules } from '../../checker/violation.ts';
import type { ObservedChange, ObservedState } from '../observed-state.ts';
import { isActive, readySinceMs } from '../pod-facts.ts';
import type { RuleContext } from './index.ts';

/** What a deployment may have since it was complete the last time: its controller may act on any specification in between. */
interface Window {
  maxReplicas: number;
  minAvailable: number;
  /**
   * Nothing but its template has changed since it was complete, no node was lost, and no replica set had a surplus of pods: every old pod stays
   * available until a new one is.
   */
  isCalm: boolean;
  template: string;
  /** Templates that it has had. */
  readonly templates: Set<string>;
}

/** The replicas of replica sets by revision. */
class ReplicaHistory {
  readonly #bySet = new Map<string, { readonly revision: number; readonly replicas: number }[]>();

  /** Whether the replica set has more replicas than before. */
  add({ metadata, spec }: appsv1.ReplicaSet, revision: number): boolean {
    const { uid = '' } = metadata;
    const history = this.#bySet.get(uid) ?? [];
    this.#bySet.set(uid, history);
    const before = history.at(-1)?.replicas ?? 0;
    const replicas = spec.replicas ?? 1;
    if (replicas !== before) history.push({ revision, replicas });
    return replicas > before;
  }

  /** The fewest that it has had since a revision. */
  fewest({ metadata }: appsv1.ReplicaSet, since: number): number {
    const history = this.#bySet.get(metadata.uid ?? '') ?? [];
    const before = history.findLast(({ revision }) => revision <= since)?.replicas ?? 0;
    return Math.min(before, ...history.filter(({ revision }) => revision > since).map(({ replicas }) => replicas));
  }
}

/**
 * Replicas and available pods of deployments stay within maxSurge and maxUnavailable. The controller decides by a cache: replicas of other
 * replica sets may have been changed since.
 */
export function observeRollouts({ state, disrupts, cacheRevision }: RuleContext): void {
  const windows = new Map<string, Window>();
  const replicas = new ReplicaHistory();
  state.observe((change) => {
    if (change.kind === 'Deployment') {
      const { before, after } = change as { before?: appsv1.Deployment; after?: appsv1.Deployment };
      if (after) extend(windows, before, after);
      else windows.delete(before?.metadata.uid ?? '');
      if (after) completeWindow(state, windows, after);
    } else if (change.kind === 'ReplicaSet') {
      const set = change.after as appsv1.ReplicaSet | undefined;
      const deployment = set && replicas.add(set, change.revision) ? ownerOf(state, set) : undefined;
      const window = windows.get(deployment?.metadata.uid ?? '');
      if (!set || !deployment || !window) return;
      const others = state.controlled('ReplicaSet', deployment).filter(({ metadata }) => metadata.uid !== set.metadata.uid);
      const total = others.reduce((sum, other) => sum + replicas.fewest(other, cacheRevision('replicasets')), set.spec.replicas ?? 1);
      const detail = (): string => `${deployment.metadata.name} has ${total} of at most ${window.maxReplicas} replicas`;
      check(total <= window.maxReplicas, rules.surge, detail);
    } else if (change.kind === 'Pod' && !disrupts) {
      endCalmBySurplus(state, windows, change as ObservedChange<'Pod'>);
      checkAvailability(state, windows, change as ObservedChange<'Pod'>);
    }
  });
}

function extend(windows: Map<string, Window>, before: appsv1.Deployment | undefined, { metadata, spec }: appsv1.Deployment): void {
  const { uid = '' } = metadata;
  const template = JSON.stringify(spec.template);
  const { maxReplicas, minAvailable } = boundsOf(spec);
  const known = windows.get(uid);
  if (!known) {
    windows.set(uid, { maxReplicas, minAvailable, isCalm: false, template, templates: new Set([template]) });
    return;
  }
  known.maxReplicas = Math.max(known.maxReplicas, maxReplicas);
  known.minAvailable = Math.min(known.minAvailable, minAvailable);
  const isRollback = template !== known.template && known.templates.has(template);
  if (isRollback || before?.spec.replicas !== spec.replicas || metadata.deletionTimestamp !== undefined) known.isCalm = false;
  known.template = template;
  known.templates.add(template);
}

/** A complete deployment begins a new window. */
function completeWindow(state: ObservedState, windows: Map<string, Window>, deployment: appsv1.Deployment): void {
  const window = windows.get(deployment.metadata.uid ?? '');
  const { spec, status, metadata } = deployment;
  const replicas = spec.replicas ?? 1;
  const isComplete =
    status.observedGeneration === metadata.generation &&
    [status.replicas, status.updatedReplicas, status.availableReplicas].every((count = 0) => count === replicas) &&
    replicas > 0;
  if (!window || !isComplete || metadata.deletionTimestamp !== undefined || spec.strategy?.type !== 'RollingUpdate') return;
  const sets = state.controlled('ReplicaSet', deployment);
  const pods = sets.flatMap((set) => state.controlled('Pod', set)).filter((pod) => isActive(pod) && readySinceMs(pod) !== undefined);
  const isSettled = sets.every(
    (set) => set.status.replicas === set.spec.replicas && (set.status.availableReplicas ?? 0) === set.spec.replicas,
  );
  if (!isSettled || pods.length !== replicas) return;
  Object.assign(window, boundsOf(spec), { isCalm: true });
}

/**
 * A replica set whose creation of a pod was executed, but failed for its controller, creates another one. While it counts both as available,
 * the deployment scales old replica sets down by one more, before the surplus is deleted. So does the real controller: for its
 * maxScaledDown, the unavailable pods of the new replica set are fewer than none.
 */
function endCalmBySurplus(state: ObservedState, windows: Map<string, Window>, { before, after }: ObservedChange<'Pod'>): void {
  const set = before ? undefined : ownerOf(state, after, 'ReplicaSet');
  const window = windows.get(ownerOf(state, set)?.metadata.uid ?? '');
  if (set && window && state.controlled('Pod', set).filter(isActive).length > (set.spec.replicas ?? 1)) window.isCalm = false;
}

function checkAvailability(state: ObservedState, windows: Map<string, Window>, { before, after, nowMs }: ObservedChange<'Pod'>): void {
  if (!before || readySinceMs(before) === undefined) return;
  const set = ownerOf(state, before, 'ReplicaSet');
  const deployment = ownerOf(state, set);
  const window = windows.get(deployment?.metadata.uid ?? '');
  if (!deployment || !window?.isCalm) return;
  // Not deleted by a controller, but on a node that was absent for too long.
  if (after && isActive(after) && readySinceMs(after) === undefined) window.isCalm = false;
  if (!window.isCalm) return;
  const minReadyMs = (deployment.spec.minReadySeconds ?? 0) * 1_000;
  const isReady = (pod: corev1.Pod): boolean => isActive(pod) && readySinceMs(pod) !== undefined;
  const isAvailable = (pod: corev1.Pod): boolean => isReady(pod) && (readySinceMs(pod) ?? 0) + minReadyMs <= nowMs;
  const pods = state.controlled('ReplicaSet', deployment).flatMap((one) => state.controlled('Pod', one));
  const available = pods.filter(isAvailable).length;
  // A replica set that is scaled down by its unavailable pods may delete available ones, since it does not rank its ready pods by availability.
  const spared = set ? state.controlled('Pod', set).filter((pod) => isReady(pod) && !isAvailable(pod)).length : 0;
  check(
    available + spared >= window.minAvailable,
    rules.unavailable,
    () => `${deployment.metadata.name} has ${available} of at least ${window.minAvailable} available pods`,
  );
}

function boundsOf(spec: appsv1.DeploymentSpec): { maxReplicas: number; minAvailable: number } {
  const replicas = spec.replicas ?? 1;
  if (spec.strategy?.type !== 'RollingUpdate') return { maxReplicas: replicas, minAvailable: 0 };
  const surge = scaled(spec.strategy.rollingUpdate?.maxSurge, replicas, Math.ceil);
  const unavailable = scaled(spec.strategy.rollingUpdate?.maxUnavailable, replicas, Math.floor);
  return { maxReplicas: replicas + surge, minAvailable: replicas - (surge === 0 && unavailable === 0 ? 1 : unavailable) };
}

const scaled = (value: number | string | undefined, replicas: number, round: (amount: number) => number): number =>
  typeof value === 'string' ? round((Number.parseInt(value, 10) * replicas) / 100) : (value ?? 0);

function ownerOf(state: ObservedState, object: appsv1.ReplicaSet | undefined): appsv1.Deployment | undefined;
function ownerOf(state: ObservedState, object: corev1.Pod | undefined, kind: 'ReplicaSet'): appsv1.ReplicaSet | undefined;
function ownerOf(
  state: ObservedState,
  object: corev1.Pod | appsv1.ReplicaSet | undefined,
  kind: 'Deployment' | 'ReplicaSet' = 'Deployment',
): appsv1.Deployment | appsv1.ReplicaSet | undefined {
  const owner = object?.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner && state.withUid(kind, owner.uid);
}
