import {
  type corev1,
  corev1PersistentVolumeClaims,
  corev1PersistentVolumes,
  type storagev1,
  storagev1CSINodes,
  storagev1StorageClasses,
  storagev1VolumeAttachments,
} from '../../../schema/api/index.ts';
import { actions, anyUpdate, podHint, updateHint } from '../../framework/cluster-events.ts';
import type { PluginFactory } from '../../framework/plugin.ts';
import { skip, unschedulable } from '../../framework/status.ts';
import { claimsOf, usesClaim } from '../../volumes/pod-claims.ts';

const refusal = unschedulable('node(s) exceed max volume count');

/** Drivers by volume, each volume once. */
type DriverOfVolume = Map<string, string>;

/** Whether a driver may attach more volumes than before. Cf. isSchedulableAfterCSINodeUpdated. */
function raisesLimit({ spec: after }: storagev1.CSINode, { spec: before }: storagev1.CSINode): boolean {
  const limits = new Map((before.drivers ?? []).map(({ name, allocatable }) => [name, allocatable?.count ?? 0]));
  return (after.drivers ?? []).some(({ name, allocatable }) => (allocatable?.count ?? 0) > (limits.get(name) ?? 0));
}

/** Refuses nodes whose CSI drivers cannot attach more volumes. Cf. plugins/nodevolumelimits CSILimits.Filter. */
export const nodeVolumeLimits: PluginFactory = ({ store }) => {
  const claims = store(corev1PersistentVolumeClaims);
  const volumes = store(corev1PersistentVolumes);
  const classes = store(storagev1StorageClasses);
  const csiNodes = store(storagev1CSINodes);
  const attachments = store(storagev1VolumeAttachments);
  attachments.addIndex('node', ({ spec }) => [spec.nodeName]);

  const addVolume = (found: DriverOfVolume, csi: corev1.CSIPersistentVolumeSource | undefined): void => {
    if (csi) found.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
  };
  const addVolumes = (found: DriverOfVolume, pod: corev1.Pod): void => {
    for (const { name } of claimsOf(pod)) {
      const key = `${pod.metadata.namespace}/${name}`;
      const claim = claims.get(key);
      if (!claim) continue;
      const volume = volumes.get(claim.spec.volumeName ?? '');
      if (volume) addVolume(found, volume.spec.csi);
      else {
        // The volume will be created by the provisioner of the class.
        const provisioner = classes.get(claim.spec.storageClassName ?? '')?.provisioner;
        if (provisioner) found.set(`${provisioner}/claim ${key}`, provisioner);
      }
    }
  };

  return {
    name: 'NodeVolumeLimits',
    events: [
      { resource: 'CSINode', actions: actions.add | anyUpdate, hint: updateHint(raisesLimit) },
      { resource: 'AssignedPod', actions: actions.delete, hint: podHint((_, __, deleted) => !deleted || claimsOf(deleted).length > 0) },
      { resource: 'PersistentVolumeClaim', actions: actions.add, hint: usesClaim },
      { resource: 'VolumeAttachment', actions: actions.delete, hint: ({ pod }) => claimsOf(pod).some(({ isEphemeral }) => !isEphemeral) },
    ],
    preFilter: (_, { pod }) => (claimsOf(pod).length === 0 ? { status: skip } : undefined),
    filter(_state, { pod }, node) {
      const limits = new Map((csiNodes.get(node.name)?.spec.drivers ?? []).map(({ name, allocatable }) => [name, allocatable?.count]));
      if (![...limits.values()].some((limit) => limit !== undefined)) return undefined;
      const wanted: DriverOfVolume = new Map();
      addVolumes(wanted, pod);
      const attached: DriverOfVolume = new Map();
      for (const existing of node.pods.values()) addVolumes(attached, existing.pod);
      // Only a volume of another pod counts once: an attachment without a pod may be ended first.
      for (const volume of attached.keys()) wanted.delete(volume);
      for (const { spec } of attachments.byIndex('node', node.name)) {
        addVolume(attached, volumes.get(spec.source.persistentVolumeName ?? '')?.spec.csi);
      }
      for (const [driver, limit] of limits) {
        const added = countOf(wanted, driver);
        if (limit !== undefined && added > 0 && countOf(attached, driver) + added > limit) return refusal;
      }
      return undefined;
    },
  };
};

function countOf(volumes: DriverOfVolume, driver: string): number {
  let count = 0;
  for (const one of volumes.values()) if (one === driver) count++;
  return count;
}
