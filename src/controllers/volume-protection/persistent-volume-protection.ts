import { cacheKeyOf, type KubeObject } from '../../client/index.ts';
import { type corev1, corev1PersistentVolumes } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';

/** Protects volumes with a finalizer while they are bound to a claim. Cf. pkg/controller/volume/pvprotection. */
export const persistentVolumeProtection: Controller = (context) => {
  const { client, informers, product } = context;
  const finalizer = product.rename('kubernetes.io/pv-protection');

  const volumes = informers.informer(corev1PersistentVolumes);

  const reconcile = async (name: string): Promise<void> => {
    const volume = volumes.store.get(name);
    const finalizers = volume && reconcileFinalizers(volume, finalizer, volume.status.phase === 'Bound');
    if (!finalizers) return;
    const updated = { ...volume, metadata: { ...volume.metadata, finalizers } };
    await ignoreStaleWrite(client.resource(corev1PersistentVolumes).update(updated));
  };

  const queue = startWorkers({ name: 'persistentvolume-protection-controller', informers: [volumes], reconcile }, context);
  const enqueue = (volume: corev1.PersistentVolume): void => queue.add(cacheKeyOf(volume));
  volumes.addHandler({ onAdd: enqueue, onUpdate: enqueue });
};

/**
 * The new finalizers of an object that is protected while it is used; undefined when nothing changes. Cf. pkg/controller/volume/protectionutil
 * NeedToAddFinalizer, IsDeletionCandidate.
 */
export function reconcileFinalizers(
  { metadata }: Pick<KubeObject, 'metadata'>,
  finalizer: string,
  isUsed: boolean,
): readonly string[] | undefined {
  const { finalizers = [], deletionTimestamp } = metadata;
  const isProtected = finalizers.includes(finalizer);
  if (deletionTimestamp === undefined) return isProtected ? undefined : [...finalizers, finalizer];
  return isProtected && !isUsed ? finalizers.filter((one) => one !== finalizer) : undefined;
}
