import { type corev1, corev1PersistentVolumeClaims } from '../../../schema/api/index.ts';
import { actions, anyUpdate, podHint } from '../../framework/cluster-events.ts';
import { StateKey } from '../../framework/cycle-state.ts';
import type { PluginFactory } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { skip, unresolvable, unschedulable } from '../../framework/status.ts';
import { claimProblem, claimsOf, usesClaim } from '../../volumes/pod-claims.ts';

const diskRefusal = unschedulable('node(s) had no available disk');
const claimRefusal = unschedulable(
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);

/** The claims of a pod that only one pod may use, and how many pods use them. */
interface State {
  readonly exclusive: ReadonlySet<string>;
  readonly users: number;
}

const exclusiveClaims = new StateKey<State>('VolumeRestrictions');

/** Refuses nodes where a volume of the pod is in use in a way that excludes it. Cf. plugins/volumerestrictions. */
export const volumeRestrictions: PluginFactory = (handle) => {
  const claims = handle.store(corev1PersistentVolumeClaims);
  const change =
    (by: 1 | -1): NonNullable<ReturnType<PluginFactory>['addPod']> =>
    (state, pod, { pod: changed, namespace }) => {
      const data = state.read(exclusiveClaims);
      if (!data || namespace !== pod.namespace) return;
      const shared = claimsOf(changed).filter(({ name }) => data.exclusive.has(`${namespace}/${name}`)).length;
      state.write(exclusiveClaims, { ...data, users: data.users + by * shared });
    };
  return {
    name: 'VolumeRestrictions',
    events: [
      { resource: 'AssignedPod', actions: actions.delete, hint: podHint((pod, _, deleted) => !deleted || mayShare(pod, deleted)) },
      { resource: 'Node', actions: actions.add },
      { resource: 'PersistentVolumeClaim', actions: actions.add | anyUpdate, hint: usesClaim },
    ],
    preFilter(state, { pod, namespace }) {
      const exclusive = new Set<string>();
      for (const reference of claimsOf(pod)) {
        if (reference.isEphemeral) continue;
        const key = `${namespace}/${reference.name}`;
        const claim = claims.get(key);
        if (!claim) return { status: unresolvable(claimProblem(pod, reference, claim) ?? '') };
        if (claim.spec.accessModes?.includes('ReadWriteOncePod')) exclusive.add(key);
      }
      const users = [...exclusive].filter((key) => handle.snapshot.isClaimUsed(key)).length;
      if (users === 0 && !disksOf(pod).some(isExclusiveDisk)) return { status: skip };
      state.write(exclusiveClaims, { exclusive, users });
      return undefined;
    },
    addPod: change(1),
    removePod: change(-1),
    filter(state, { pod }, node) {
      const disks = disksOf(pod).filter(isExclusiveDisk);
      if (disks.length > 0) {
        for (const existing of node.pods.values()) {
          if (disksOf(existing.pod).some((other) => disks.some((disk) => conflicts(disk, other)))) return diskRefusal;
        }
      }
      return (state.read(exclusiveClaims)?.users ?? 0) > 0 ? claimRefusal : undefined;
    },
  };
};

/** A disk that a node attaches. */
interface Disk {
  /** Identifies the disk, with its kind; several for one with several monitors. */
  readonly ids: readonly string[];
  readonly isReadOnly: boolean;
  /** Whether several pods may read it. */
  readonly isShareable: boolean;
}

function disksOf({ spec }: corev1.Pod): readonly Disk[] {
  return (spec.volumes ?? []).flatMap(({ gcePersistentDisk: gce, awsElasticBlockStore: aws, rbd, iscsi }): readonly Disk[] => {
    if (gce) return [{ ids: [`gce ${gce.pdName}`], isReadOnly: gce.readOnly === true, isShareable: true }];
    if (aws) return [{ ids: [`aws ${aws.volumeID}`], isReadOnly: aws.readOnly === true, isShareable: false }];
    if (iscsi) return [{ ids: [`iscsi ${iscsi.iqn}`], isReadOnly: iscsi.readOnly === true, isShareable: true }];
    if (!rbd) return [];
    const ids = (rbd.monitors ?? []).map((monitor) => `rbd ${monitor} ${rbd.pool ?? ''} ${rbd.image}`);
    return [{ ids, isReadOnly: rbd.readOnly === true, isShareable: true }];
  });
}

const isExclusiveDisk = ({ ids }: Disk): boolean => ids.length > 0;

function conflicts(disk: Disk, other: Disk): boolean {
  if (disk.isShareable && disk.isReadOnly && other.isReadOnly) return false;
  return disk.ids.some((id) => other.ids.includes(id));
}

/** Whether a deleted pod may have used a volume of the pod. */
function mayShare({ pod, namespace }: PodInfo, deleted: corev1.Pod): boolean {
  if (disksOf(pod).some((disk) => disksOf(deleted).some((other) => conflicts(disk, other)))) return true;
  const names = new Set(claimsOf(pod).map(({ name }) => name));
  return deleted.metadata.namespace === namespace && claimsOf(deleted).some(({ name }) => names.has(name));
}
