import { cacheKeyOf, type SharedInformer, splitCacheKey } from '../../client/index.ts';
import { type corev1, corev1PersistentVolumeClaims, corev1Pods } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';
import { reconcileFinalizers } from './persistent-volume-protection.ts';

/** Protects claims with a finalizer while a scheduled pod uses them. Cf. pkg/controller/volume/pvcprotection. */
export const persistentVolumeClaimProtection: Controller = (context) => {
  const { client, informers, product } = context;
  const finalizer = product.rename('kubernetes.io/pvc-protection');
  const writer = client.resource(corev1PersistentVolumeClaims);
  const claims = informers.informer(corev1PersistentVolumeClaims);
  const isUsed = async (claim: corev1.PersistentVolumeClaim, namespace: string): Promise<boolean> => {
    const { items } = await client.resource(corev1Pods).list({ namespace });
    return items.some((pod) => usesClaim(pod, claim));
  };
  const reconcile = async (key: string): Promise<void> => {
    const claim = claims.store.get(key);
    const finalizers = claim && reconcileFinalizers(claim, finalizer, false);
    if (!finalizers) return;
    const isDeleted = claim.metadata.deletionTimestamp !== undefined;
    if (isDeleted && (await isUsed(claim, splitCacheKey(key).namespace))) watchPods(key);
    else await ignoreStaleWrite(writer.update({ ...claim, metadata: { ...claim.metadata, finalizers } }));
  };
  const queue = startWorkers({ name: 'persistentvolumeclaim-protection-controller', informers: [claims], reconcile }, context);
  const enqueue = (claim: corev1.PersistentVolumeClaim): void => queue.add(cacheKeyOf(claim));
  const enqueueClaimsOf = (pod: corev1.Pod): void => {
    for (const name of claimNamesOf(pod)) queue.add(`${pod.metadata.namespace}/${name}`);
  };
  claims.addHandler({ onAdd: enqueue, onUpdate: enqueue });
  let pods: SharedInformer<corev1.Pod> | undefined;
  /** Pods are cached only once a deleted claim is in use. A pod may be deleted before the cache is complete, so the claim is checked again. */
  const watchPods = (key: string): void => {
    if (pods) return;
    pods = informers.informer(corev1Pods);
    pods.addHandler({ onUpdate: enqueueClaimsOf, onDelete: enqueueClaimsOf });
    void pods.synced.then(() => queue.add(key));
  };
};

/** The names of the claims that a pod's volumes use; ephemeral volumes have claims named after the pod. */
export function claimNamesOf({ metadata, spec }: corev1.Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim ? [persistentVolumeClaim.claimName] : ephemeral ? [`${metadata.name}-${name}`] : [],
  );
}

/**
 * Whether a pod that is scheduled, and may have ended, uses a claim: a kubelet does not start pods with claims that are being deleted.
 * An ephemeral volume's claim must belong to the pod, whose kubelet has not released it. Cf. podUsesPVC.
 */
export function usesClaim(pod: corev1.Pod, { metadata }: Pick<corev1.PersistentVolumeClaim, 'metadata'>): boolean {
  if (!pod.spec.nodeName) return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const isReleased = deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0;
  return (pod.spec.volumes ?? []).some(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim) return persistentVolumeClaim.claimName === metadata.name;
    const isOwner = metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === pod.metadata.uid);
    return ephemeral !== undefined && !isReleased && `${pod.metadata.name}-${name}` === metadata.name && isOwner === true;
  });
}
