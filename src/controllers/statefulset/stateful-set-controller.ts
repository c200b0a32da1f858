import { keyOf, type ResourceClient } from '../../client/index.ts';
import {
  type appsv1,
  appsv1ControllerRevisions,
  appsv1StatefulSets,
  type corev1,
  corev1PersistentVolumeClaims,
  corev1Pods,
} from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { Expectations } from '../expectations.ts';
import { ControllerHistory, revisionsBeyondLimit, sortRevisions } from '../history/index.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import {
  ControlledObjects,
  checkAdoption,
  claimObjects,
  controllerOf,
  type LabelMatcher,
  labelMatcher,
  watchControllers,
} from '../pods/index.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { startWorkers } from '../start-workers.ts';
import { isMemberOf, replicasOf } from './ordinals.ts';
import { applyRevision } from './set-revision.ts';
import { type CurrentRevisions, findRevisions } from './set-revisions.ts';
import { completeUpdate, isStatusStale } from './set-status.ts';
import { syncSet } from './set-sync.ts';
import { revisionOf, type VersionedSet } from './stateful-pod.ts';
import { StatefulPodControl } from './stateful-pod-control.ts';

type StatefulSet = appsv1.StatefulSet;

/** Runs pods with stable names and claims, one after the other. Cf. pkg/controller/statefulset. */
export const statefulSetController: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const sets = informers.informer(appsv1StatefulSets);
  const pods = informers.informer(corev1Pods);
  const claims = informers.informer(corev1PersistentVolumeClaims);
  const revisions = informers.informer(appsv1ControllerRevisions);
  const history = new ControllerHistory(client.resource(appsv1ControllerRevisions), revisions);
  const controlledPods = new ControlledObjects(pods);
  const expectations = new Expectations(clock);
  const control = new StatefulPodControl({
    pods: client.resource(corev1Pods),
    claims: client.resource(corev1PersistentVolumeClaims),
    cachedClaims: claims,
    expectations,
    recorder: createEventRecorder(context, 'statefulset-controller'),
    product,
  });

  const readSet = (set: StatefulSet): Promise<StatefulSet> => client.resource(appsv1StatefulSets).get(keyOf(set));

  /** Cf. adoptOrphanRevisions. */
  const adoptRevisions = async (set: StatefulSet, isSelected: LabelMatcher): Promise<void> => {
    const orphans = history.list(set, isSelected).filter((revision) => !controllerOf(revision));
    if (orphans.length === 0) return;
    await checkAdoption(set, () => readSet(set));
    for (const orphan of orphans) await history.adopt(set, orphan);
  };

  const claimPods = (set: StatefulSet, isSelected: LabelMatcher): Promise<readonly corev1.Pod[]> =>
    claimObjects(controlledPods.withOrphans(set), {
      controller: set,
      readController: () => readSet(set),
      objects: client.resource(corev1Pods),
      matches: (pod) => isSelected(pod.metadata.labels) && isMemberOf(set, pod),
    });

  const truncateHistory = async (
    set: StatefulSet,
    all: readonly appsv1.ControllerRevision[],
    { current, update }: CurrentRevisions,
    owned: readonly corev1.Pod[],
  ): Promise<void> => {
    const live = new Set([current.metadata.name, update.metadata.name, ...owned.map(revisionOf)]);
    const limit = set.spec.revisionHistoryLimit ?? 10;
    for (const revision of revisionsBeyondLimit(all, ({ metadata }) => live.has(metadata.name), limit)) await history.delete(revision);
  };

  const reconcile = async (key: string): Promise<void> => {
    const set = sets.store.get(key);
    if (!set) {
      expectations.delete(key);
      return;
    }
    // The cache does not show the pods that were created and deleted: their watch events add the set to the queue again.
    if (!expectations.satisfied(key, (ms) => queue.addAfter(key, ms))) return;
    const isSelected = labelMatcher(set.spec.selector);
    await adoptRevisions(set, isSelected);
    const owned = await claimPods(set, isSelected);
    const all = sortRevisions(history.list(set, isSelected));
    const found = await findRevisions(set, all, history, product);
    const [current, update] = [versionOf(set, found.current), versionOf(set, found.update)];
    const { collisionCount } = found;
    const { status, error } = await syncSet(set, owned, current, update, { control, product, nowMs: clock.nowMs(), collisionCount });
    await writeStatus(client.resource(appsv1StatefulSets), set, status);
    await truncateHistory(set, all, found, owned);
    if (error !== undefined) throw error;
    const { minReadySeconds = 0 } = set.spec;
    if (minReadySeconds > 0 && status.availableReplicas !== replicasOf(set)) queue.addAfter(key, minReadySeconds * 1000);
  };

  const queue = startWorkers({ name: 'statefulset-controller', informers: [sets, pods, claims, revisions], reconcile }, context);
  watchControllers({ kind: 'StatefulSet', controllers: sets, selectorOf: ({ spec }) => spec.selector, pods, queue, expectations });
};

function versionOf(set: StatefulSet, revision: appsv1.ControllerRevision): VersionedSet {
  return { set: applyRevision(set, revision), revision: revision.metadata.name ?? '' };
}

/** Cf. updateStatefulSetStatus. */
async function writeStatus(sets: ResourceClient<StatefulSet>, given: StatefulSet, computed: appsv1.StatefulSetStatus): Promise<void> {
  const status = completeUpdate(given, computed);
  if (!isStatusStale(given, status)) return;
  const write = async (set: StatefulSet): Promise<void> => {
    if (set.metadata.uid === given.metadata.uid) await sets.updateStatus({ ...set, status });
  };
  await ignoreStaleWrite(retryOnConflict(given, write, () => sets.get(keyOf(given))));
}
