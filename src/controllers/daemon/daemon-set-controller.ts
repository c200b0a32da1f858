import { cacheKeyOf, type KubeObject, keyOf, type ResourceClient } from '../../client/index.ts';
import { sameJson } from '../../meta/index.ts';
import { type appsv1, appsv1ControllerRevisions, appsv1DaemonSets, type corev1, corev1Nodes, corev1Pods } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { Expectations } from '../expectations.ts';
import { podsByNode } from '../nodes/index.ts';
import {
  ControlledObjects,
  claimObjects,
  isControlledBy,
  isEmptySelector,
  labelMatcher,
  mapToControllers,
  PodControl,
  watchControllers,
} from '../pods/index.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { startWorkers } from '../start-workers.ts';
import { DaemonHistory, hashOf } from './daemon-history.ts';
import { withDaemonTolerations } from './daemon-pod.ts';
import { countPods, isStatusCurrent } from './daemon-status.ts';
import { applyPlan } from './daemon-writer.ts';
import { FailureBackoff } from './failure-backoff.ts';
import { type EndedPod, planPods } from './manage.ts';
import { isSyncNeeded } from './node-changes.ts';
import { nodeEligibility } from './node-eligibility.ts';
import { groupByNode } from './node-pods.ts';
import { planUpdate } from './rolling-update.ts';

type DaemonSet = appsv1.DaemonSet;

/** Runs a pod on each node that is eligible. Cf. pkg/controller/daemon. */
export const daemonSetController: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const sets = informers.informer(appsv1DaemonSets);
  const pods = informers.informer(corev1Pods);
  const nodes = informers.informer(corev1Nodes);
  const revisions = informers.informer(appsv1ControllerRevisions);
  const podsOn = podsByNode(pods.store);
  const controlledPods = new ControlledObjects(pods);
  const controlledRevisions = new ControlledObjects(revisions);
  const recorder = createEventRecorder(context, 'daemonset-controller');
  const control = new PodControl({ pods: client.resource(corev1Pods), recorder });
  const history = new DaemonHistory(client);
  const expectations = new Expectations(clock);
  const backoff = new FailureBackoff(clock);

  const tolerant = (set: DaemonSet): DaemonSet => withDaemonTolerations(set, product.rename);
  const readSet = (set: DaemonSet): Promise<DaemonSet> => client.resource(appsv1DaemonSets).get(keyOf(set));

  const claim = <T extends KubeObject>(
    set: DaemonSet,
    controlled: ControlledObjects<T>,
    objects: ResourceClient<T>,
  ): Promise<readonly T[]> => {
    const isSelected = labelMatcher(set.spec.selector);
    return claimObjects(controlled.withOrphans(set), {
      controller: set,
      readController: () => readSet(set),
      objects,
      matches: ({ metadata }) => isSelected(metadata.labels),
    });
  };
  const claimPods = (set: DaemonSet): Promise<readonly corev1.Pod[]> => claim(set, controlledPods, client.resource(corev1Pods));
  const claimRevisions = (set: DaemonSet): Promise<readonly appsv1.ControllerRevision[]> =>
    claim(set, controlledRevisions, client.resource(appsv1ControllerRevisions));

  const isBackedOff = (set: DaemonSet, { node }: EndedPod): boolean => {
    const delayMs = backoff.next(`${set.metadata.uid}/${set.status.observedGeneration ?? 0}/${node}`);
    if (delayMs !== undefined) queue.addAfter(cacheKeyOf(set), delayMs);
    return delayMs !== undefined;
  };

  const recordEnded = (set: DaemonSet, { pod, node }: EndedPod): void => {
    const where = `daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${node}`;
    if (pod.status.phase === 'Failed') recorder.event(set, 'Warning', 'FailedDaemonPod', `Found failed ${where}, will try to kill it`);
    else recorder.event(set, 'Normal', 'SucceededDaemonPod', `Found succeeded ${where}, will try to delete it`);
  };

  /** Cf. updateDaemonSet. */
  const updatePods = async (set: DaemonSet, hash: string, old: readonly appsv1.ControllerRevision[]): Promise<void> => {
    const planned = { set: tolerant(set), hash, nowMs: clock.nowMs() };
    const plan = planPods(nodes.store.list(), groupByNode(await claimPods(set)), {
      ...planned,
      isBackedOff: (ended) => isBackedOff(set, ended),
    });
    for (const ended of plan.ended) recordEnded(set, ended);
    await applyPlan(planned.set, plan, hash, control, expectations);
    if (expectations.satisfied(cacheKeyOf(set)) && set.spec.updateStrategy.type === 'RollingUpdate') {
      const update = planUpdate(nodes.store.list(), groupByNode(await claimPods(set)), planned);
      await applyPlan(planned.set, update, hash, control, expectations);
    }
    await history.truncate(set, old, await claimPods(set));
  };

  /** Cf. updateDaemonSetStatus. `isObserved`: the controller has acted on this generation. */
  const updateStatus = async (set: DaemonSet, hash: string, isObserved: boolean): Promise<void> => {
    const { minReadySeconds = 0 } = set.spec;
    const counts = countPods(nodes.store.list(), groupByNode(await claimPods(set)), tolerant(set), hash, clock.nowMs());
    if (!isStatusCurrent(set, counts)) {
      const observed = isObserved ? { observedGeneration: set.metadata.generation ?? 0 } : {};
      const write = (target: DaemonSet): Promise<DaemonSet> =>
        client.resource(appsv1DaemonSets).updateStatus({ ...target, status: { ...target.status, ...counts, ...observed } });
      await retryOnConflict(set, write, () => readSet(set), 2);
    }
    if (minReadySeconds > 0 && counts.numberReady !== counts.numberAvailable) queue.addAfter(cacheKeyOf(set), minReadySeconds * 1000);
  };

  const reconcile = async (key: string): Promise<void> => {
    const set = sets.store.get(key);
    if (!set) {
      expectations.delete(key);
      return;
    }
    if (set.spec.selector && isEmptySelector(set.spec.selector)) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
      recorder.event(set, 'Warning', 'SelectingAll', message);
      return;
    }
    if (set.metadata.deletionTimestamp !== undefined) return;
    const { current, old } = await history.construct(set, await claimRevisions(set), () => claimPods(set));
    const hash = hashOf(current);
    if (!expectations.satisfied(key, (ms) => queue.addAfter(key, ms))) return updateStatus(set, hash, false);
    const [updated] = await Promise.allSettled([updatePods(set, hash, old)]);
    await updateStatus(set, hash, true);
    if (updated.status === 'rejected') throw updated.reason;
  };

  const name = 'daemonset-controller';
  const queue = startWorkers({ name, informers: [sets, pods, nodes, revisions], reconcile, workers: 2 }, context);
  const lookup = watchControllers({
    kind: 'DaemonSet',
    controllers: sets,
    selectorOf: ({ spec }) => spec.selector,
    pods,
    queue,
    expectations,
  });
  const enqueue = (set: DaemonSet): void => queue.add(cacheKeyOf(set));
  // Cf. addHistory, updateHistory, deleteHistory.
  revisions.addHandler(mapToControllers(lookup, { enqueue }, { isDeletionFinal: false, isAdditionSynced: false }));

  /** Cf. syncNodeUpdate. */
  const reconcileNode = async (nodeName: string): Promise<void> => {
    const node = nodes.store.get(nodeName);
    if (!node) return;
    const onNode = podsOn(nodeName);
    for (const set of sets.store.list()) {
      const hasPod = onNode.some((pod) => isControlledBy(pod, set));
      if (isSyncNeeded(set, nodeEligibility(node, tolerant(set)), hasPod)) enqueue(set);
    }
  };
  const nodeQueue = startWorkers({ name, informers: [sets, pods, nodes], reconcile: reconcileNode, workers: 1 }, context);
  nodes.addHandler({
    onAdd: (node) => {
      for (const set of sets.store.list()) if (nodeEligibility(node, tolerant(set)).shouldRun) enqueue(set);
    },
    onUpdate: (node, old) => {
      const isSame =
        sameJson(node.metadata.labels ?? {}, old.metadata.labels ?? {}) && sameJson(node.spec.taints ?? [], old.spec.taints ?? []);
      if (!isSame) nodeQueue.add(cacheKeyOf(node));
    },
  });
};
