import { errorMessage } from '../../env/index.ts';
/** Creates the claims of ephemeral volumes. */

import { cacheKeyOf, type PartialObject } from '../../client/index.ts';
import { type corev1, corev1PersistentVolumeClaims, corev1Pods } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { controllerOf, isControlledBy, newControllerReference } from '../pods/index.ts';
import { startWorkers } from '../start-workers.ts';

/** Cf. pkg/controller/volume/ephemeral. */
export const ephemeralVolumes: Controller = (context) => {
  const { client, informers } = context;
  const writer = client.resource(corev1PersistentVolumeClaims);
  const pods = informers.informer(corev1Pods);
  const claims = informers.informer(corev1PersistentVolumeClaims);
  const recorder = createEventRecorder(context, 'ephemeral_volume');

  const createClaim = async (pod: corev1.Pod, volume: corev1.Volume): Promise<void> => {
    const claim = claimOfVolume(pod, volume);
    if (!claim?.metadata) return;
    const { name, namespace } = claim.metadata;
    const existing = claims.store.get(`${namespace}/${name}`);
    if (existing) {
      if (isControlledBy(existing, pod)) return;
      throw new Error(`PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`);
    }
    await writer.create(claim).catch((error: unknown) => {
      throw new Error(`create PVC ${name}: ${errorMessage(error)}`);
    });
  };
  const reconcile = async (key: string): Promise<void> => {
    const pod = pods.store.get(key);
    if (!pod || pod.metadata.deletionTimestamp !== undefined) return;
    for (const volume of pod.spec.volumes ?? []) {
      try {
        await createClaim(pod, volume);
      } catch (error) {
        recorder.event(pod, 'Warning', 'FailedBinding', `ephemeral volume ${volume.name}: ${errorMessage(error)}`);
        throw new Error(`pod ${key}, ephemeral volume ${volume.name}: ${errorMessage(error)}`);
      }
    }
  };
  const queue = startWorkers({ name: 'ephemeral-volume-controller', informers: [pods, claims], reconcile }, context);
  const enqueue = (pod: corev1.Pod): void => {
    const isUsing = pod.metadata.deletionTimestamp === undefined && pod.spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined);
    if (isUsing) queue.add(cacheKeyOf(pod));
  };
  pods.addHandler({ onAdd: enqueue });
  claims.addHandler({
    // A claim that is deleted while its pod exists is created again.
    onDelete: (claim) => {
      const owner = controllerOf(claim);
      const pod = owner?.kind === 'Pod' ? pods.store.get(`${claim.metadata.namespace}/${owner.name}`) : undefined;
      if (pod) enqueue(pod);
    },
  });
};

/** The claim of an ephemeral volume; undefined for other volumes. */
function claimOfVolume(pod: corev1.Pod, { name, ephemeral }: corev1.Volume): PartialObject<corev1.PersistentVolumeClaim> | undefined {
  const template = ephemeral?.volumeClaimTemplate;
  if (!template) return undefined;
  const { annotations, labels } = template.metadata ?? {};
  return {
    metadata: {
      name: `${pod.metadata.name}-${name}`,
      namespace: pod.metadata.namespace ?? '',
      ownerReferences: [newControllerReference(pod)],
      ...(annotations ? { annotations } : {}),
      ...(labels ? { labels } : {}),
    },
    spec: template.spec,
  };
}
