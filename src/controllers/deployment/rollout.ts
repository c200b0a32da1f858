import type { EventRecorder, ResourceClient } from '../../client/index.ts';
import { sameJson } from '../../meta/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';
import { type AnnotationNames, replicasAnnotations } from './annotations.ts';
import { equalIgnoringHash, findNewSet } from './replica-set-order.ts';
import { maxSurge, replicasOf } from './replicas.ts';
import type { SetSize } from './scaling.ts';
import type { DeploymentStatus, ReplicaSets } from './status.ts';

/** What the synchronization of all deployments uses. */
export interface RolloutContext {
  readonly deployments: ResourceClient<appsv1.Deployment>;
  readonly replicaSets: ResourceClient<appsv1.ReplicaSet>;
  /** Finds a set in the cache. */
  readonly cachedSet: (namespace: string, name: string) => appsv1.ReplicaSet | undefined;
  readonly recorder: Pick<EventRecorder, 'event'>;
  readonly names: AnnotationNames;
  readonly nowMs: () => number;
}

/** One synchronization of a deployment: its latest state, that of its sets, and the writes. */
export class Rollout {
  readonly context: RolloutContext;
  #deployment: appsv1.Deployment;
  #sets: readonly appsv1.ReplicaSet[];

  constructor(context: RolloutContext, deployment: appsv1.Deployment, sets: readonly appsv1.ReplicaSet[]) {
    this.context = context;
    this.#deployment = deployment;
    this.#sets = sets;
  }

  get deployment(): appsv1.Deployment {
    return this.#deployment;
  }

  /** The sets, each with its last written state. */
  get sets(): ReplicaSets {
    const newSet = findNewSet(this.#deployment, this.#sets);
    return { newSet, oldSets: this.#sets.filter(({ metadata }) => metadata.uid !== newSet?.metadata.uid) };
  }

  event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.context.recorder.event(this.#deployment, type, reason, message);
  }

  async update(deployment: appsv1.Deployment): Promise<void> {
    this.#deployment = await this.context.deployments.update(deployment);
  }

  /** Writes status and annotations, unless nothing changes; returns whether it did. */
  async updateStatus(status: DeploymentStatus, changedAnnotations?: Readonly<Record<string, string>>): Promise<boolean> {
    const { metadata } = this.#deployment;
    const annotations = changedAnnotations ?? metadata.annotations;
    const isUnchanged = sameJson(normalized(status), normalized(this.#deployment.status));
    if (isUnchanged && sameJson(annotations ?? {}, metadata.annotations ?? {})) return false;
    const next = { ...this.#deployment, metadata: annotations ? { ...metadata, annotations } : metadata, status };
    this.#deployment = await this.context.deployments.updateStatus(next);
    return true;
  }

  /** Stores a created or updated set. */
  storeSet(set: appsv1.ReplicaSet): void {
    this.#sets = [...this.#sets.filter(({ metadata }) => metadata.uid !== set.metadata.uid), set];
  }

  async updateSet(set: appsv1.ReplicaSet): Promise<appsv1.ReplicaSet> {
    const updated = await this.context.replicaSets.update(set);
    this.storeSet(updated);
    return updated;
  }

  /** Whether the set has the template of the deployment, and belongs to it. */
  isOwnNewSet(set: appsv1.ReplicaSet, ownerUid: string | undefined): boolean {
    return ownerUid === this.#deployment.metadata.uid && equalIgnoringHash(this.#deployment.spec.template, set.spec.template);
  }

  /** Scales a set with an event; returns whether its size changed. Cf. scaleReplicaSetAndRecordEvent. */
  async scaleSet({ set, replicas }: SetSize): Promise<boolean> {
    return replicasOf(set) === replicas ? false : this.resizeSet({ set, replicas });
  }

  /** Scales a set, and writes the annotations with the replicas of the deployment also when its size is right. Cf. scaleReplicaSet. */
  async resizeSet({ set, replicas }: SetSize): Promise<boolean> {
    const before = replicasOf(set);
    const desired = replicasOf(this.#deployment);
    const max = desired + maxSurge(this.#deployment);
    const annotations = { ...set.metadata.annotations, ...replicasAnnotations(desired, max, this.context.names) };
    if (before === replicas && sameJson(annotations, set.metadata.annotations)) return false;
    await this.updateSet({ ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } });
    if (before === replicas) return false;
    const direction = before < replicas ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`;
    this.event('Normal', 'ScalingReplicaSet', message);
    return true;
  }

  /** Returns whether any size changed. */
  async scaleSets(sizes: readonly SetSize[]): Promise<boolean> {
    let isScaled = false;
    for (const size of sizes) isScaled = (await this.scaleSet(size)) || isScaled;
    return isScaled;
  }
}

/** Numbers of 0 and empty lists are the same as absent ones. */
function normalized(status: DeploymentStatus): object {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0)));
}
