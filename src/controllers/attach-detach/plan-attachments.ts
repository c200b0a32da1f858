import type { corev1, storagev1 } from '../../schema/api/index.ts';
import { isPodTerminal } from '../pods/index.ts';

/** A CSI volume that pods of a node use. */
export interface DesiredAttachment {
  readonly volume: corev1.PersistentVolume;
  readonly driver: string;
  readonly handle: string;
  readonly nodeName: string;
  readonly pods: readonly corev1.Pod[];
}

export interface ClusterVolumes {
  /** Those that use claims. */
  readonly pods: readonly corev1.Pod[];
  /** Those whose status names attached volumes. */
  readonly nodesWithAttached: readonly corev1.Node[];
  readonly node: (name: string) => corev1.Node | undefined;
  readonly claim: (key: string) => corev1.PersistentVolumeClaim | undefined;
  readonly volume: (name: string) => corev1.PersistentVolume | undefined;
  readonly driver: (name: string) => storagev1.CSIDriver | undefined;
  readonly claimNamesOf: (pod: corev1.Pod) => readonly string[];
  /** The annotation of nodes whose volumes this controller attaches, not the kubelet. */
  readonly managedAnnotation: string;
}

/** The volumes that have to be attached. Cf. pkg/controller/volume/attachdetach desiredStateOfWorld. */
export function desiredAttachments(cluster: ClusterVolumes): readonly DesiredAttachment[] {
  const desired = new Map<string, DesiredAttachment>();
  for (const pod of cluster.pods) {
    const { nodeName = '' } = pod.spec;
    if (isPodTerminal(pod)) continue;
    if (cluster.node(nodeName)?.metadata.annotations?.[cluster.managedAnnotation] === undefined) continue;
    for (const name of cluster.claimNamesOf(pod)) {
      const volume = volumeOfClaim(`${pod.metadata.namespace}/${name}`, cluster);
      const { driver, volumeHandle: handle } = volume?.spec.csi ?? {};
      if (!volume || driver === undefined || handle === undefined) continue;
      if (cluster.driver(driver)?.spec.attachRequired === false) continue;
      const key = `${nodeName}/${volume.metadata.name}`;
      desired.set(key, { volume, driver, handle, nodeName, pods: [...(desired.get(key)?.pods ?? []), pod] });
    }
  }
  return [...desired.values()];
}

/** The volume that is bound to a claim, which refers to it too. */
function volumeOfClaim(key: string, { claim, volume }: ClusterVolumes): corev1.PersistentVolume | undefined {
  const { metadata, spec, status } = claim(key) ?? {};
  const found = status?.phase === 'Bound' && spec?.volumeName ? volume(spec.volumeName) : undefined;
  return found?.spec.claimRef?.uid === metadata?.uid ? found : undefined;
}

/** The name of a volume in the status of nodes. */
export function attachedName({ driver, handle }: Pick<DesiredAttachment, 'driver' | 'handle'>, pluginPrefix: string): string {
  return `${pluginPrefix}csi/${driver}^${handle}`;
}

/** Whether several nodes may use a volume at once. Cf. util.IsMultiAttachAllowed. */
export function isMultiAttachAllowed({ spec }: corev1.PersistentVolume): boolean {
  return spec.accessModes?.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany') === true;
}
