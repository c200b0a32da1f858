/** Binds claims to volumes. */

import { cacheKeyOf, type KubeObject, type SharedInformer, type WorkQueue } from '../../client/index.ts';
import { corev1PersistentVolumeClaims, corev1PersistentVolumes, corev1Pods, storagev1StorageClasses } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';
import { claimNamesOf } from '../volume-protection/persistent-volume-claim-protection.ts';
import { Binder } from './binder.ts';
import { syncClaim } from './sync-claim.ts';
import { syncVolume } from './sync-volume.ts';
import { volumeNames } from './volume-names.ts';
import { recycledVolume } from './volume-plugins.ts';

/** Upstream --pvclaimbinder-sync-period. */
const resyncMs = 15_000;
const byClaim = 'claim';

/** Cf. pkg/controller/volume/persistentvolume. */
export const persistentVolumeBinder: Controller = (context) => {
  const { client, clock, informers, product, signal } = context;
  const claims = informers.informer(corev1PersistentVolumeClaims);
  const volumes = informers.informer(corev1PersistentVolumes);
  const pods = informers.informer(corev1Pods);
  const classes = informers.informer(storagev1StorageClasses);
  pods.store.addIndex(byClaim, (pod) => claimNamesOf(pod).map((name) => `${pod.metadata.namespace}/${name}`));
  const binder = new Binder({
    client,
    names: volumeNames(product),
    recorder: createEventRecorder(context, 'persistentvolume-controller'),
    classes: classes.store,
    podsOf: (key) => pods.store.byIndex(byClaim, key),
    enqueueClaim: (key) => claimQueue.add(key),
  });

  let last: Promise<void> = Promise.resolve();
  /** A volume and its claim are written together: their reconciliations would write the same objects at once. */
  const oneAtATime = (sync: () => Promise<void>): Promise<void> => {
    const run = last.then(() => ignoreStaleWrite(sync()));
    last = run.catch(() => undefined);
    return run;
  };
  const reconcileClaim = async (key: string): Promise<void> => {
    const claim = claims.store.get(key);
    if (claim) {
      await oneAtATime(async () => (binder.claims.store(claim) ? syncClaim(claim, binder) : undefined));
      return;
    }
    const { volumeName } = binder.claims.get(key)?.spec ?? {};
    binder.claims.delete(key);
    if (volumeName) volumeQueue.add(volumeName);
  };
  const reconcileVolume = async (key: string): Promise<void> => {
    const volume = volumes.store.get(key);
    if (volume) {
      await oneAtATime(async () => (binder.volumes.store(volume) ? syncVolume(volume, binder) : undefined));
      return;
    }
    const { claimRef } = binder.volumes.get(key)?.spec ?? {};
    binder.volumes.delete(key);
    if (claimRef) claimQueue.add(`${claimRef.namespace}/${claimRef.name}`);
  };
  // The caches of the binder are filled before the first reconciliation: a claim without its volume would be lost.
  const synced = Promise.all([claims, volumes, pods, classes].map((informer) => informer.synced)).then(() => {
    for (const volume of volumes.store.list()) binder.volumes.store(volume);
    for (const claim of claims.store.list()) binder.claims.store(claim);
  });
  const name = 'persistentvolume-binder-controller';
  // The writes of one worker would be unknown to another one.
  const claimQueue = startWorkers({ name, informers: [{ synced }], reconcile: reconcileClaim, workers: 1 }, context);
  const volumeQueue = startWorkers({ name, informers: [{ synced }], reconcile: reconcileVolume, workers: 1 }, context);
  enqueueChanges(claims, claimQueue);
  enqueueChanges(volumes, volumeQueue);
  pods.addHandler({
    onUpdate: (pod) => {
      const volume = recycledVolume(pod);
      if (volume !== undefined && volumes.store.has(volume)) volumeQueue.add(volume);
    },
  });

  const resync = (): void => {
    for (const key of claims.store.keys()) claimQueue.add(key);
    for (const key of volumes.store.keys()) volumeQueue.add(key);
    cancel = clock.schedule(resyncMs, resync);
  };
  let cancel = clock.schedule(resyncMs, resync);
  signal.addEventListener('abort', () => cancel(), { once: true });
};

function enqueueChanges<T extends KubeObject>(informer: SharedInformer<T>, queue: WorkQueue<string>): void {
  const enqueue = (object: T): void => queue.add(cacheKeyOf(object));
  informer.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
}
