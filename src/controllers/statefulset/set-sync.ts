import { hasStatus } from '../../client/index.ts';
import type { Product } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { isPodTerminal, slowStartBatch } from '../pods/index.ts';
import { isCreated, isTerminating } from './pod-states.ts';
import {
  blocksNext,
  firstUnavailable,
  isOrdered,
  mayDeleteCondemned,
  nextPodsToUpdate,
  nextPodToUpdate,
  partitionPods,
  type SetPods,
} from './set-plan.ts';
import { type SetRevisions, statusOf } from './set-status.ts';
import { hasIdentity, hasStorage, type VersionedSet } from './stateful-pod.ts';
import type { StatefulPodControl } from './stateful-pod-control.ts';

type PodWrites = Pick<
  StatefulPodControl,
  'areClaimOwnersCurrent' | 'create' | 'createMissingClaims' | 'delete' | 'hasStaleClaim' | 'update' | 'updateClaimOwners'
>;

export interface SetSyncOptions {
  readonly control: PodWrites;
  readonly product: Pick<Product, 'rename'>;
  readonly nowMs: number;
  readonly collisionCount: number;
}

/** The status after a sync, and the error that ended it. */
export interface SetSyncResult {
  readonly status: appsv1.StatefulSetStatus;
  readonly error?: unknown;
}

/** One step of a set towards its desired state. Cf. pkg/controller/statefulset defaultStatefulSetControl.updateStatefulSet. */
export async function syncSet(
  set: appsv1.StatefulSet,
  pods: readonly corev1.Pod[],
  current: VersionedSet,
  update: VersionedSet,
  options: SetSyncOptions,
): Promise<SetSyncResult> {
  const revisions = { current: current.revision, update: update.revision, collisionCount: options.collisionCount };
  const status = statusOf(set, pods, revisions, options.nowMs);
  if (set.metadata.deletionTimestamp !== undefined) return { status };
  return new SetSync(set, update, partitionPods(pods, current, update, options.product), revisions, options).run();
}

class SetSync {
  readonly #set: appsv1.StatefulSet;
  readonly #update: VersionedSet;
  readonly #pods: SetPods;
  readonly #revisions: SetRevisions;
  readonly #options: SetSyncOptions;

  constructor(set: appsv1.StatefulSet, update: VersionedSet, pods: SetPods, revisions: SetRevisions, options: SetSyncOptions) {
    this.#set = set;
    this.#update = update;
    this.#pods = pods;
    this.#revisions = revisions;
    this.#options = options;
  }

  async run(): Promise<SetSyncResult> {
    const { replicas, condemned } = this.#pods;
    const { nowMs } = this.#options;
    const status = statusOf(this.#set, [...replicas, ...condemned], this.#revisions, nowMs);
    const first = firstUnavailable(this.#set, this.#pods, nowMs);
    try {
      const isDone =
        (await this.#forAll(replicas, (pod) => this.#processReplica(pod))) &&
        (await this.#forAll(condemned, (pod) => this.#updateClaimsOfCondemned(pod))) &&
        (await this.#forAll(condemned, (pod) => this.#processCondemned(pod, first)));
      if (!isDone || this.#set.spec.updateStrategy.type === 'OnDelete') return { status };
    } catch (error) {
      return { status, error };
    }
    return this.#rollOut(status);
  }

  /** Whether the sync goes on. An ordered set stops at the first pod that blocks it. */
  async #forAll(pods: readonly corev1.Pod[], process: (pod: corev1.Pod) => Promise<boolean>): Promise<boolean> {
    if (isOrdered(this.#set)) {
      for (const pod of pods) if (!(await process(pod))) return false;
      return true;
    }
    const { error } = await slowStartBatch(pods.length, async (index) => {
      const pod = pods[index];
      if (pod) await process(pod);
    });
    if (error !== undefined) throw error;
    return true;
  }

  /** Whether an ordered set goes on to the next replica. */
  async #processReplica(pod: corev1.Pod): Promise<boolean> {
    const { control, nowMs, product } = this.#options;
    const set = this.#set;
    // Terminal pods are deleted, whatever their exit code, and created again by the sync after their deletion.
    if (isPodTerminal(pod)) {
      if (!isTerminating(pod)) await control.delete(set, pod);
      return false;
    }
    if (!isCreated(pod)) {
      if (control.hasStaleClaim(set, pod)) return false;
      await control.create(set, pod);
      if (isOrdered(set)) return false;
    }
    if (pod.status.phase === 'Pending') await control.createMissingClaims(set, pod);
    if (isOrdered(set) && blocksNext(set, pod, nowMs)) return false;
    const isCurrent = control.areClaimOwnersCurrent(this.#update.set, pod);
    if (hasIdentity(set, pod, product) && hasStorage(set, pod) && isCurrent) return true;
    await control.update(this.#update.set, pod);
    return true;
  }

  async #updateClaimsOfCondemned(pod: corev1.Pod): Promise<boolean> {
    const { control } = this.#options;
    if (!control.areClaimOwnersCurrent(this.#update.set, pod)) await control.updateClaimOwners(this.#update.set, pod);
    return true;
  }

  async #processCondemned(pod: corev1.Pod, first: corev1.Pod | undefined): Promise<boolean> {
    const { control, nowMs } = this.#options;
    if (isTerminating(pod)) return false;
    if (isOrdered(this.#set) && !mayDeleteCondemned(this.#set, pod, first, nowMs)) return false;
    await control.delete(this.#set, pod);
    return false;
  }

  /** Deletes the next pod of another revision: the next sync creates it again. */
  async #rollOut(status: appsv1.StatefulSetStatus): Promise<SetSyncResult> {
    const { control, nowMs } = this.#options;
    const { rollingUpdate } = this.#set.spec.updateStrategy;
    const args = [this.#set, this.#pods.replicas, this.#revisions.update, nowMs] as const;
    // The server stores maxUnavailable only with the gate MaxUnavailableStatefulSet, and then always.
    const next = nextPodToUpdate(...args);
    const targets = rollingUpdate?.maxUnavailable === undefined ? (next ? [next] : []) : nextPodsToUpdate(...args);
    let currentReplicas = status.currentReplicas ?? 0;
    for (const pod of targets) {
      try {
        await control.delete(this.#set, pod);
      } catch (error) {
        if (!hasStatus(error, 404)) return { status: { ...status, currentReplicas }, error };
      }
      currentReplicas -= 1;
    }
    return { status: { ...status, currentReplicas } };
  }
}
