import { cacheKeyOf, keyOf, type SharedInformer, type WorkQueue } from '../../client/index.ts';
import { type appsv1, appsv1Deployments, appsv1ReplicaSets, type corev1, corev1Pods } from '../../schema/api/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import {
  ControlledObjects,
  ControllerLookup,
  claimObjects,
  isEmptySelector,
  isNamespaceTerminating,
  labelMatcher,
  mapToControllers,
} from '../pods/index.ts';
import { defaultMaxRetries, startWorkers } from '../start-workers.ts';
import { annotationNames } from './annotations.ts';
import { deadlineCheckMs } from './progress.ts';
import { Rollout, type RolloutContext } from './rollout.ts';
import { type PodsBySet, syncDeployment } from './sync-deployment.ts';

/** Rolls deployments out by ReplicaSets. Cf. pkg/controller/deployment. */
export const deployments: Controller = (context) => new DeploymentController(context).start();

class DeploymentController {
  readonly #context: ControllerContext;
  readonly #rollouts: RolloutContext;
  readonly #deployments: SharedInformer<appsv1.Deployment>;
  readonly #sets: SharedInformer<appsv1.ReplicaSet>;
  readonly #pods: SharedInformer<corev1.Pod>;
  readonly #ownedSets: ControlledObjects<appsv1.ReplicaSet>;
  readonly #ownedPods: ControlledObjects<corev1.Pod>;

  constructor(context: ControllerContext) {
    const { client, clock, informers, product } = context;
    this.#context = context;
    this.#deployments = informers.informer(appsv1Deployments);
    this.#sets = informers.informer(appsv1ReplicaSets);
    this.#pods = informers.informer(corev1Pods);
    this.#ownedSets = new ControlledObjects(this.#sets);
    this.#ownedPods = new ControlledObjects(this.#pods);
    this.#rollouts = {
      deployments: client.resource(appsv1Deployments),
      replicaSets: client.resource(appsv1ReplicaSets),
      cachedSet: (namespace, name) => this.#sets.store.get(`${namespace}/${name}`),
      recorder: createEventRecorder(context, 'deployment-controller'),
      names: annotationNames(product),
      nowMs: () => clock.nowMs(),
    };
  }

  start(): void {
    const informers = [this.#deployments, this.#sets, this.#pods];
    const reconcile = (key: string): Promise<void> => this.#reconcile(key, queue);
    const options = { name: 'deployment-controller', informers, reconcile, maxRetries: defaultMaxRetries };
    const queue = startWorkers(options, this.#context);
    const enqueue = (deployment: appsv1.Deployment): void => queue.add(cacheKeyOf(deployment));
    this.#deployments.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
    const controllers = { kind: 'Deployment', controllers: this.#deployments, selectorOf: ({ spec }: appsv1.Deployment) => spec.selector };
    const lookup = new ControllerLookup<appsv1.Deployment>(controllers);
    this.#sets.addHandler(mapToControllers<appsv1.Deployment, appsv1.ReplicaSet>(lookup, { enqueue }, { isDeletionFinal: false }));
    this.#watchPods(lookup, enqueue);
  }

  /** A deployment that recreates its pods waits for the end of the old ones. Cf. deletePod. */
  #watchPods(lookup: ControllerLookup<appsv1.Deployment>, enqueue: (deployment: appsv1.Deployment) => void): void {
    const sets = new ControllerLookup<appsv1.ReplicaSet>({
      kind: 'ReplicaSet',
      controllers: this.#sets,
      selectorOf: ({ spec }) => spec.selector,
    });
    this.#pods.addHandler({
      onDelete: (pod) => {
        const set = sets.ownerOf(pod);
        const deployment = set && lookup.ownerOf(set);
        if (deployment?.spec.strategy.type !== 'Recreate') return;
        const podCount = [...this.#podsOfSets(this.#ownedSets.of(deployment)).values()].flat().length;
        if (podCount === 0) enqueue(deployment);
      },
    });
  }

  async #reconcile(key: string, queue: WorkQueue<string>): Promise<void> {
    try {
      await this.#sync(key, queue);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  async #sync(key: string, queue: WorkQueue<string>): Promise<void> {
    const deployment = this.#deployments.store.get(key);
    if (!deployment) return;
    if (deployment.spec.selector && isEmptySelector(deployment.spec.selector)) return this.#refuse(deployment);
    const sets = await this.#claim(deployment);
    const rollout = new Rollout(this.#rollouts, deployment, sets);
    const unchanged = await syncDeployment(rollout, () => this.#podsOfSets(sets));
    if (!unchanged) return;
    const delayMs = deadlineCheckMs(rollout.deployment, unchanged.status, this.#context.clock.nowMs());
    if (delayMs === 0) queue.addRateLimited(key);
    else if (delayMs !== undefined) queue.addAfter(key, delayMs);
  }

  /** An empty selector would select the pods of all others. */
  async #refuse(deployment: appsv1.Deployment): Promise<void> {
    const { metadata, status } = deployment;
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    this.#rollouts.recorder.event(deployment, 'Warning', 'SelectingAll', message);
    const { generation = 0 } = metadata;
    if ((status.observedGeneration ?? 0) >= generation) return;
    await this.#rollouts.deployments.updateStatus({ ...deployment, status: { ...status, observedGeneration: generation } });
  }

  #claim(deployment: appsv1.Deployment): Promise<readonly appsv1.ReplicaSet[]> {
    const matches = labelMatcher(deployment.spec.selector);
    return claimObjects(this.#ownedSets.withOrphans(deployment), {
      controller: deployment,
      readController: () => this.#rollouts.deployments.get(keyOf(deployment)),
      objects: this.#rollouts.replicaSets,
      matches: ({ metadata }) => matches(metadata.labels),
    });
  }

  #podsOfSets(sets: readonly appsv1.ReplicaSet[]): PodsBySet {
    return new Map(sets.map((set) => [set.metadata.uid ?? '', this.#ownedPods.of(set)]));
  }
}
