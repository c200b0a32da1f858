import { cacheKeyOf, hasStatus, keyOf, type SharedInformer, type WorkQueue } from '../../client/index.ts';
import { SelectorError } from '../../meta/index.ts';
import { type corev1, corev1Pods } from '../../schema/api/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { Expectations } from '../expectations.ts';
import { namespaceLister } from '../namespace-lister.ts';
import {
  ControlledObjects,
  claimObjects,
  controllerOf,
  isNamespaceTerminating,
  isPodActive,
  type LabelMatcher,
  labelMatcher,
  newControllerReference,
  nextAvailabilityMs,
  PodControl,
  podFromTemplate,
  slowStartBatch,
  watchControllers,
} from '../pods/index.ts';
import { startWorkers } from '../start-workers.ts';
import { podsToDelete } from './pods-to-delete.ts';
import { desiredReplicas, type ReplicaSetKind, type ReplicaSetLike } from './replica-set.ts';
import { calculateStatus, isStatusChanged, type ReplicaSetStatus } from './status.ts';

/** Number of pods that one reconciliation creates or deletes at most (upstream BurstReplicas). */
const maxBurst = 500;

/** Creates and deletes pods until their number is as desired. Cf. pkg/controller/replicaset and pkg/controller/replication. */
export function replicaSetController<T extends ReplicaSetLike>(kind: ReplicaSetKind<T>): Controller {
  return (context) => new ReplicaSetController(kind, context).start();
}

class ReplicaSetController<T extends ReplicaSetLike> {
  readonly #kind: ReplicaSetKind<T>;
  readonly #context: ControllerContext;
  readonly #sets: SharedInformer<T>;
  readonly #pods: SharedInformer<corev1.Pod>;
  readonly #ownedPods: ControlledObjects<corev1.Pod>;
  readonly #podsIn: (namespace?: string) => readonly corev1.Pod[];
  readonly #ownedSets: ControlledObjects<T>;
  readonly #podControl: PodControl;
  readonly #expectations: Expectations;

  constructor(kind: ReplicaSetKind<T>, context: ControllerContext) {
    this.#kind = kind;
    this.#context = context;
    this.#sets = context.informers.informer(kind.resource);
    this.#pods = context.informers.informer(corev1Pods);
    this.#ownedPods = new ControlledObjects(this.#pods);
    this.#podsIn = namespaceLister(this.#pods.store);
    this.#ownedSets = new ControlledObjects(this.#sets);
    const recorder = createEventRecorder(context, kind.component);
    this.#podControl = new PodControl({ pods: context.client.resource(corev1Pods), recorder });
    this.#expectations = new Expectations(context.clock);
  }

  start(): void {
    const informers = [this.#sets, this.#pods];
    const queue = startWorkers({ name: this.#kind.name, informers, reconcile: (key) => this.#reconcile(key, queue) }, this.#context);
    const { resource, selectorOf } = this.#kind;
    const watched = { kind: resource.kind, controllers: this.#sets, selectorOf, pods: this.#pods };
    watchControllers<T>({ ...watched, queue, expectations: this.#expectations });
  }

  /** Cf. syncReplicaSet. */
  async #reconcile(key: string, queue: WorkQueue<string>): Promise<void> {
    const set = this.#sets.store.get(key);
    if (!set) {
      this.#expectations.delete(key);
      return;
    }
    const isCacheCurrent = this.#expectations.satisfied(key, (ms) => queue.addAfter(key, ms));
    const matches = this.#matcherOf(set);
    if (!matches) return;
    const pods = await this.#claim(set, matches);
    const isManaged = isCacheCurrent && set.metadata.deletionTimestamp === undefined;
    const failure = isManaged ? await this.#manageReplicas(set, key, pods) : undefined;
    const nowMs = this.#context.clock.nowMs();
    const status = await this.#updateStatus(set, calculateStatus(set, pods, failure?.error, nowMs));
    if (failure) throw failure.error;
    const { minReadySeconds = 0 } = set.spec;
    if (minReadySeconds > 0 && status.readyReplicas !== status.availableReplicas) {
      queue.addAfter(key, nextAvailabilityMs(pods, minReadySeconds, nowMs) ?? minReadySeconds * 1000);
    }
  }

  /** An invalid selector, which validation prevents, is logged and not retried. */
  #matcherOf(set: T): LabelMatcher | undefined {
    try {
      return labelMatcher(this.#kind.selectorOf(set));
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      this.#context.log.error('invalid selector', { name: cacheKeyOf(set), error });
      return undefined;
    }
  }

  #claim(set: T, matches: LabelMatcher): Promise<readonly corev1.Pod[]> {
    const { client } = this.#context;
    return claimObjects(this.#ownedPods.withOrphans(set).filter(isPodActive), {
      controller: set,
      readController: () => client.resource(this.#kind.resource).get(keyOf(set)),
      objects: client.resource(corev1Pods),
      matches: ({ metadata }) => matches(metadata.labels),
    });
  }

  /** Returns the error of the creations or deletions. */
  async #manageReplicas(set: T, key: string, pods: readonly corev1.Pod[]): Promise<{ readonly error: unknown } | undefined> {
    const surplus = pods.length - desiredReplicas(set);
    if (surplus < 0) return this.#createPods(set, key, Math.min(-surplus, maxBurst));
    return surplus > 0 ? this.#deletePods(set, key, this.#select(set, pods, Math.min(surplus, maxBurst))) : undefined;
  }

  async #createPods(set: T, key: string, count: number): Promise<{ readonly error: unknown } | undefined> {
    const { template } = set.spec;
    if (!template) return { error: new Error('no pod template') };
    this.#expectations.expectCreations(key, count);
    const pod = podFromTemplate(template, set.metadata.name ?? '', newControllerReference(set));
    const { successes, error } = await slowStartBatch(count, async () => {
      try {
        await this.#podControl.create(pod, set);
      } catch (failure) {
        // All pods of the namespace will be deleted, so that there is nothing to retry.
        if (!isNamespaceTerminating(failure)) throw failure;
      }
    });
    this.#expectations.creationObserved(key, count - successes);
    return error === undefined ? undefined : { error };
  }

  async #deletePods(set: T, key: string, pods: readonly corev1.Pod[]): Promise<{ readonly error: unknown } | undefined> {
    this.#expectations.expectDeletions(
      key,
      pods.map(({ metadata }) => metadata.uid ?? ''),
    );
    const deletions = pods.map(async (pod) => {
      try {
        await this.#podControl.delete(pod, set);
      } catch (error) {
        this.#expectations.deletionObserved(key, pod.metadata.uid ?? '');
        if (!hasStatus(error, 404)) throw error;
      }
    });
    const failed = (await Promise.allSettled(deletions)).find((result) => result.status === 'rejected');
    return failed && { error: failed.reason };
  }

  #select(set: T, pods: readonly corev1.Pod[], count: number): readonly corev1.Pod[] {
    const { clock, product } = this.#context;
    return podsToDelete(pods, {
      count,
      relatedPods: this.#relatedPods(set),
      nowMs: clock.nowMs(),
      costAnnotation: product.rename('controller.kubernetes.io/pod-deletion-cost'),
    });
  }

  /** The pods that the sets of the same owner select. Cf. getIndirectlyRelatedPods. */
  #relatedPods(set: T): readonly corev1.Pod[] {
    const owner = controllerOf(set);
    if (!owner) return [];
    const { namespace = '' } = set.metadata;
    const matchers = this.#ownedSets.of({ metadata: { namespace, uid: owner.uid } }).map((sibling) => this.#matcherOf(sibling));
    return this.#podsIn(namespace).filter(({ metadata }) => matchers.some((matches) => matches?.(metadata.labels)));
  }

  /** Writes a changed status; a conflict is retried once with the latest object. Cf. updateReplicaSetStatus. */
  async #updateStatus(set: T, status: ReplicaSetStatus): Promise<ReplicaSetStatus> {
    if (!isStatusChanged(set, status)) return set.status;
    const writer = this.#context.client.resource(this.#kind.resource);
    const next = { ...status, observedGeneration: set.metadata.generation };
    try {
      return (await writer.updateStatus({ ...set, status: next })).status;
    } catch {
      return (await writer.updateStatus({ ...(await writer.get(keyOf(set))), status: next })).status;
    }
  }
}
