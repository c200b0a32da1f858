/** Requests larger volumes for claims whose requests were increased. */

import { cacheKeyOf } from '../../client/index.ts';
import { compareQuantities } from '../../meta/index.ts';
import { type corev1, corev1PersistentVolumeClaims, corev1PersistentVolumes } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { storageOf } from '../persistent-volume-binder/volume-matching.ts';
import { migratedDriver } from '../persistent-volume-binder/volume-plugins.ts';
import { startWorkers } from '../start-workers.ts';

/** By the source of a volume: its former plug-in, which a CSI driver replaced. */
const migratedSources = {
  awsElasticBlockStore: 'aws-ebs',
  azureDisk: 'azure-disk',
  azureFile: 'azure-file',
  cinder: 'cinder',
  gcePersistentDisk: 'gce-pd',
  portworxVolume: 'portworx-volume',
  vsphereVolume: 'vsphere-volume',
} as const;

/** No plug-in of the controller manager expands volumes, so external resizers have to. Cf. pkg/controller/volume/expand. */
export const persistentVolumeExpander: Controller = (context) => {
  const { client, informers, product } = context;
  const claims = informers.informer(corev1PersistentVolumeClaims);
  const recorder = createEventRecorder(context, 'volume_expand');
  const pluginPrefix = product.rename('kubernetes.io/');
  const resizer = product.rename('volume.kubernetes.io/storage-resizer');

  const reconcile = async (key: string): Promise<void> => {
    const claim = claims.store.get(key);
    if (!claim) return;
    const name = claim.spec.volumeName ?? '';
    const { spec } = await client.resource(corev1PersistentVolumes).get({ name });
    if (spec.claimRef?.uid !== claim.metadata.uid) throw new Error(`persistent Volume is not bound to PVC being updated : ${key}`);
    if (!isExpansionRequested(claim)) return;
    const migrated = Object.entries(migratedSources).find(([source]) => Object.hasOwn(spec, source));
    if (!migrated) {
      recorder.event(claim, 'Normal', 'ExternalExpanding', 'waiting for an external controller to expand this PVC');
      return;
    }
    const plugin = `${pluginPrefix}${migrated[1]}`;
    const driver = migratedDriver(plugin, { pluginPrefix });
    const text = `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`;
    recorder.event(claim, 'Normal', 'ExternalExpanding', text);
    if (claim.metadata.annotations?.[resizer] === driver) return;
    const { namespace = '', name: claimName = '' } = claim.metadata;
    const patch = { metadata: { annotations: { [resizer]: driver } } };
    await client.resource(corev1PersistentVolumeClaims).patch({ namespace, name: claimName }, 'strategic', patch);
  };
  const queue = startWorkers({ name: 'persistentvolume-expander-controller', informers: [claims], reconcile }, context);
  const enqueue = (claim: corev1.PersistentVolumeClaim): void => {
    if (claim.status.phase === 'Bound') queue.add(cacheKeyOf(claim));
  };
  claims.addHandler({
    onAdd: enqueue,
    onUpdate: (claim, old) => {
      const isLarger = compareStorage(claim.spec.resources.requests, old.spec.resources.requests) > 0;
      if (isLarger || compareStorage(claim.status.capacity, old.status.capacity) > 0) enqueue(claim);
    },
  });
};

/** Whether a claim requests more than its volume has. */
function isExpansionRequested({ spec, status }: Pick<corev1.PersistentVolumeClaim, 'spec' | 'status'>): boolean {
  return compareStorage(spec.resources.requests, status.capacity) > 0;
}

type Amounts = Parameters<typeof storageOf>[0];

function compareStorage(one: Amounts, other: Amounts): number {
  return compareQuantities(storageOf(one), storageOf(other));
}
