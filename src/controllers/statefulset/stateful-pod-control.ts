import { cacheKeyOf, type EventRecorder, hasStatus, keyOf, type ResourceClient, type SharedInformer } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import { aggregateErrors, type Product } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import type { Expectations } from '../expectations.ts';
import { claimOwners, hasStaleOwner, hasUnexpectedController, isClaimOwnerCurrent } from './claim-owners.ts';
import { claimName, ordinalOf } from './ordinals.ts';
import { claimsOf, hasIdentity, hasStorage, withIdentity, withStorage } from './stateful-pod.ts';

type StatefulSet = appsv1.StatefulSet;
type Claim = corev1.PersistentVolumeClaim;

export interface StatefulPodControlOptions {
  readonly pods: ResourceClient<corev1.Pod>;
  readonly claims: ResourceClient<Claim>;
  readonly cachedClaims: Pick<SharedInformer<Claim>, 'store'>;
  /** The creations and deletions that the cache of pods does not show yet, by the keys of the sets. */
  readonly expectations: Expectations;
  readonly recorder: Pick<EventRecorder, 'event'>;
  readonly product: Pick<Product, 'rename'>;
}

/** Attempts of an update that others conflict with. Cf. client-go retry.DefaultBackoff. */
const maxAttempts = 4;

/** Creates, updates and deletes the pods of sets and their claims, with events. Cf. pkg/controller/statefulset StatefulPodControl. */
export class StatefulPodControl {
  readonly #options: StatefulPodControlOptions;

  constructor(options: StatefulPodControlOptions) {
    this.#options = options;
  }

  /** Creates the claims of a pod, then the pod. */
  async create(set: StatefulSet, pod: corev1.Pod): Promise<void> {
    await this.#recordFailure('create', set, pod, this.#createClaims(set, pod));
    const { expectations, pods } = this.#options;
    expectations.raise(cacheKeyOf(set), 1, []);
    const failure = await pods.create({ metadata: pod.metadata, spec: pod.spec }).then(() => undefined, asFailure);
    if (failure) expectations.creationObserved(cacheKeyOf(set));
    // The pod exists: the cache does not show it yet.
    if (hasStatus(failure?.error, 409)) throw failure.error;
    await this.#recordFailure('update', set, pod, this.updateClaimOwners(set, pod));
    this.#recordPod('create', set, pod, failure);
    if (failure) throw failure.error;
  }

  async delete(set: StatefulSet, pod: corev1.Pod): Promise<void> {
    const { expectations, pods } = this.#options;
    const { uid = '' } = pod.metadata;
    expectations.raise(cacheKeyOf(set), 0, [uid]);
    const failure = await pods.delete(keyOf(pod)).then(() => undefined, asFailure);
    if (failure) expectations.deletionObserved(cacheKeyOf(set), uid);
    this.#recordPod('delete', set, pod, failure);
    if (failure) throw failure.error;
  }

  /** Restores the labels and volumes of a pod, and the owners of its claims. Cf. UpdateStatefulPod. */
  async update(set: StatefulSet, given: corev1.Pod): Promise<void> {
    for (let attempt = 1, pod = given; ; attempt++) {
      const next = await this.#restore(set, pod);
      if (!next) return;
      const failure = await this.#options.pods.update(next).then(() => undefined, asFailure);
      if (!hasStatus(failure?.error, 409) || attempt === maxAttempts) {
        this.#recordPod('update', set, pod, failure);
        if (failure) throw failure.error;
        return;
      }
      pod = await this.#options.pods.get(keyOf(given));
    }
  }

  /** The pod to be written; undefined when nothing was wrong. */
  async #restore(set: StatefulSet, pod: corev1.Pod): Promise<corev1.Pod | undefined> {
    const { product } = this.#options;
    const isIdentified = hasIdentity(set, pod, product);
    const isStored = hasStorage(set, pod);
    const named = isIdentified ? pod : withIdentity(set, pod, product);
    const next = isStored ? named : withStorage(set, named);
    if (!isStored) await this.#recordFailure('update', set, pod, this.#createClaims(set, next));
    const areClaimsCurrent = this.areClaimOwnersCurrent(set, pod);
    if (!areClaimsCurrent) await this.#recordFailure('update', set, pod, this.updateClaimOwners(set, pod));
    return isIdentified && isStored && areClaimsCurrent ? undefined : next;
  }

  /** Creates the missing claims of a pod that waits for them. */
  async createMissingClaims(set: StatefulSet, pod: corev1.Pod): Promise<void> {
    await this.#createClaims(set, pod);
    await this.#recordFailure('update', set, pod, this.updateClaimOwners(set, pod));
  }

  /** Cf. ClaimsMatchRetentionPolicy. */
  areClaimOwnersCurrent(set: StatefulSet, pod: corev1.Pod): boolean {
    return this.#cachedClaims(set, pod).every((claim) => isClaimOwnerCurrent(claim, set, pod));
  }

  /** Cf. UpdatePodClaimForRetentionPolicy. */
  async updateClaimOwners(set: StatefulSet, pod: corev1.Pod): Promise<void> {
    for (const claim of this.#cachedClaims(set, pod)) {
      const { name } = claim.metadata;
      if (hasUnexpectedController(claim, set, pod)) {
        // As upstream spells it.
        const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
        this.#options.recorder.event(set, 'Warning', 'ConflictingController', message);
      }
      if (isClaimOwnerCurrent(claim, set, pod)) continue;
      const metadata = { ...claim.metadata, ownerReferences: claimOwners(claim, set, pod) };
      await this.#options.claims.update({ ...claim, metadata }).catch((error: unknown) => {
        throw new Error(`could not update claim ${name} for delete policy ownerRefs: ${errorMessage(error)}`);
      });
    }
  }

  /** Whether a claim of a pod to be created belongs to a former pod, with which it will be deleted. Cf. PodClaimIsStale. */
  hasStaleClaim(set: StatefulSet, pod: corev1.Pod): boolean {
    if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return false;
    return this.#cachedClaims(set, pod).some((claim) => hasStaleOwner(claim, pod));
  }

  #cachedClaims(set: StatefulSet, pod: corev1.Pod): readonly Claim[] {
    const names = (set.spec.volumeClaimTemplates ?? []).map((template) => claimName(set, template, ordinalOf(pod)));
    return names.flatMap((name) => this.#options.cachedClaims.store.get(`${set.metadata.namespace}/${name}`) ?? []);
  }

  /** Cf. createPersistentVolumeClaims. */
  async #createClaims(set: StatefulSet, pod: corev1.Pod): Promise<void> {
    const failures: string[] = [];
    for (const claim of claimsOf(set, pod)) {
      const { namespace, name = '' } = claim.metadata;
      const cached = this.#options.cachedClaims.store.get(`${namespace}/${name}`);
      if (cached?.metadata.deletionTimestamp !== undefined) failures.push(`pvc ${name} is being deleted`);
      if (cached) continue;
      const { metadata, spec } = claim;
      const failure = await this.#options.claims.create({ metadata, spec }).then(() => undefined, asFailure);
      // The claim exists: the cache does not show it yet.
      if (hasStatus(failure?.error, 409)) continue;
      if (failure) failures.push(`failed to create PVC ${name}: ${errorMessage(failure.error)}`);
      this.#recordClaim(set, pod, name, failure);
    }
    if (failures.length > 0) throw new Error(aggregateErrors(failures));
  }

  async #recordFailure(verb: Verb, set: StatefulSet, pod: corev1.Pod, write: Promise<void>): Promise<void> {
    try {
      await write;
    } catch (error) {
      this.#recordPod(verb, set, pod, { error });
      throw error;
    }
  }

  #recordPod(verb: Verb, set: StatefulSet, { metadata }: corev1.Pod, failure: Failure | undefined): void {
    const about = `${verb} Pod ${metadata.name} in StatefulSet ${set.metadata.name}`;
    this.#record(verb, set, failure, `${about} successful`, `${about} failed error`);
  }

  #recordClaim(set: StatefulSet, { metadata }: corev1.Pod, claim: string, failure: Failure | undefined): void {
    const { name } = set.metadata;
    const done = `create Claim ${claim} Pod ${metadata.name} in StatefulSet ${name} success`;
    this.#record('create', set, failure, done, `create Claim ${claim} for Pod ${metadata.name} in StatefulSet ${name} failed error`);
  }

  #record(verb: Verb, set: StatefulSet, failure: Failure | undefined, done: string, failed: string): void {
    const { recorder } = this.#options;
    const what = `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`;
    if (failure) recorder.event(set, 'Warning', `Failed${what}`, `${failed}: ${errorMessage(failure.error)}`);
    else recorder.event(set, 'Normal', `Successful${what}`, done);
  }
}

type Verb = 'create' | 'update' | 'delete';

interface Failure {
  readonly error: unknown;
}

function asFailure(error: unknown): Failure {
  return { error };
}
