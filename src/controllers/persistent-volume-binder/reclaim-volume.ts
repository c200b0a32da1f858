import { keyOf } from '../../client/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { isPodTerminal } from '../pods/index.ts';
import type { Binder } from './binder.ts';
import { deletionOf, isRecyclable, recyclerPod } from './volume-plugins.ts';

type Volume = corev1.PersistentVolume;

/** Applies the reclaim policy of a released volume. Cf. reclaimVolume. */
export async function reclaimVolume(volume: Volume, binder: Binder): Promise<void> {
  if (volume.metadata.annotations?.[binder.options.names.migratedTo]) return;
  const policy = volume.spec.persistentVolumeReclaimPolicy ?? '';
  if (policy === 'Retain') return;
  if (policy !== 'Recycle' && policy !== 'Delete') {
    await binder.fail(volume, 'VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy');
    return;
  }
  const fresh = await binder.readVolume(volume);
  if (!fresh || !isReleased(fresh, binder)) return;
  if (policy === 'Recycle') await recycleVolume(fresh, binder);
  else await deleteVolume(fresh, binder);
}

/** Whether the claim of a volume is deleted, or has another volume. Cf. isVolumeReleased. */
function isReleased({ metadata, spec: { claimRef } }: Volume, binder: Binder): boolean {
  if (!claimRef?.uid) return false;
  const claim = binder.claims.get(`${claimRef.namespace}/${claimRef.name}`);
  if (claim?.metadata.uid !== claimRef.uid) return true;
  return Boolean(claim.spec.volumeName) && claim.spec.volumeName !== metadata.name;
}

/** Cf. deleteVolumeOperation. */
async function deleteVolume(volume: Volume, binder: Binder): Promise<void> {
  const { deletionFinalizer } = binder.options.names;
  const deletion = deletionOf(volume, binder.options.names);
  if (deletion === 'external') return;
  if (deletion !== 'deleted') return binder.fail(volume, 'VolumeFailedDelete', deletion.error);
  const { finalizers = [] } = volume.metadata;
  if (finalizers.includes(deletionFinalizer)) {
    await binder.writeVolume({
      ...volume,
      metadata: { ...volume.metadata, finalizers: finalizers.filter((one) => one !== deletionFinalizer) },
    });
  }
  await binder.deleteVolume(volume);
}

/** Cf. recycleVolumeOperation, RecycleVolumeByWatchingPodUntilCompletion. The end of the pod triggers another reconciliation. */
async function recycleVolume(volume: Volume, binder: Binder): Promise<void> {
  const { recorder } = binder.options;
  const claimKey = `${volume.spec.claimRef?.namespace}/${volume.spec.claimRef?.name}`;
  const users = binder.activePodsOf(claimKey).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  if (users.length > 0 && !binder.claims.get(claimKey)) {
    recorder.event(volume, 'Normal', 'VolumeFailedRecycle', `Volume is used by pods: ${users.sort().join(',')}`);
    return;
  }
  if (!isRecyclable(volume)) {
    await binder.fail(volume, 'VolumeFailedRecycle', 'No recycler plugin found for the volume!');
    return;
  }
  const request = recyclerPod(volume);
  const pod = await binder.pods.getIfExists(keyOf(request));
  if (!pod) {
    await binder.pods.create(request as Parameters<typeof binder.pods.create>[0]);
    return;
  }
  const { phase, message = '' } = pod.status;
  if (!isPodTerminal(pod)) return;
  await binder.pods.delete(keyOf(request));
  if (phase === 'Failed') {
    const text = message === '' ? 'pod failed, pod.Status.Message unknown' : message;
    await binder.fail(volume, 'VolumeFailedRecycle', `Recycle failed: failed to recycle volume: ${text}`);
    return;
  }
  recorder.event(volume, 'Normal', 'VolumeRecycled', 'Volume recycled');
  await binder.unbind(volume);
}
