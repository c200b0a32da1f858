import { goQuote } from '../../meta/index.ts';
import type { corev1, storagev1 } from '../../schema/api/index.ts';
import type { VolumeNames } from './volume-names.ts';

/** By the former plug-in of Kubernetes: the CSI driver that replaced it. Cf. csi-translation-lib. */
const migratedPlugins: Readonly<Record<string, string>> = {
  'aws-ebs': 'ebs.csi.aws.com',
  'azure-disk': 'disk.csi.azure.com',
  'azure-file': 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  'gce-pd': 'pd.csi.storage.gke.io',
  'portworx-volume': 'pxd.portworx.com',
  'vsphere-volume': 'csi.vsphere.vmware.com',
};

/** The CSI driver of a plug-in that was migrated. */
export function migratedDriver(plugin: string, { pluginPrefix }: Pick<VolumeNames, 'pluginPrefix'>): string | undefined {
  const name = plugin.startsWith(pluginPrefix) ? plugin.slice(pluginPrefix.length) : '';
  return Object.hasOwn(migratedPlugins, name) ? migratedPlugins[name] : undefined;
}

/** The provisioner of the volumes of a class. */
export interface Provisioning {
  /** The external provisioner. */
  readonly provisioner?: string;
  /** Why there is none. */
  readonly error?: string;
}

/** Cf. findProvisionablePlugin. Only host paths have a provisioner in the controller manager, which is disabled. */
export function provisioningOf({ provisioner }: storagev1.StorageClass, names: VolumeNames): Provisioning {
  const { pluginPrefix } = names;
  if (!provisioner.startsWith(pluginPrefix)) return { provisioner };
  const driver = migratedDriver(provisioner, names);
  if (driver !== undefined) return { provisioner: driver };
  const plugin = provisioner.slice(pluginPrefix.length);
  if (plugin === 'nfs') return { error: 'no provisionable volume plugin matched' };
  if (plugin !== 'host-path') return { error: `no volume plugin matched name: ${provisioner}` };
  return { error: `Failed to create provisioner: provisioning in volume plugin ${goQuote(provisioner)} is disabled` };
}

export type Deletion = 'deleted' | 'external' | { readonly error: string };

/** The result of the plug-in that deletes a volume. Cf. findDeletablePlugin, doDeleteVolume. */
export function deletionOf({ metadata, spec }: corev1.PersistentVolume, names: VolumeNames): Deletion {
  const { provisionedBy, migratedTo, pluginPrefix } = names;
  const plugin = metadata.annotations?.[provisionedBy] ?? '';
  if (plugin !== '') {
    if (!plugin.startsWith(pluginPrefix)) return 'external';
    if (plugin === `${pluginPrefix}host-path`) return hostPathDeletion(spec.hostPath?.path ?? '');
    const error = plugin === `${pluginPrefix}nfs` ? 'no deletable volume plugin matched' : `no volume plugin matched name: ${plugin}`;
    return { error };
  }
  if (metadata.annotations?.[migratedTo] !== undefined || spec.csi) return 'external';
  if (spec.hostPath) return hostPathDeletion(spec.hostPath.path);
  const error = spec.nfs ? 'no deletable volume plugin matched' : 'no volume plugin matched';
  return { error: `error getting deleter volume plugin for volume ${goQuote(metadata.name ?? '')}: ${error}` };
}

/** Directories of nodes are simulated; outside of /tmp the real plug-in refuses too. */
function hostPathDeletion(path: string): Deletion {
  return /\/tmp\/.+/.test(path) ? 'deleted' : { error: `host_path deleter only supports /tmp/.+ but received provided ${path}` };
}

/** Whether a plug-in can remove the content of a volume. */
export function isRecyclable({ spec }: corev1.PersistentVolume): boolean {
  return spec.hostPath !== undefined || spec.nfs !== undefined;
}

/** The pod that removes the content of a volume. Cf. NewPersistentVolumeRecyclerPodTemplate. */
export function recyclerPod({ metadata, spec }: corev1.PersistentVolume): Pick<corev1.Pod, 'metadata'> & { readonly spec: object } {
  const source = spec.hostPath ? { hostPath: { path: spec.hostPath.path } } : { nfs: spec.nfs };
  const script = 'test -e /scrub && find /scrub -mindepth 1 -delete && test -z "$(ls -A /scrub)" || exit 1';
  const container = {
    name: 'pv-recycler',
    image: 'registry.k8s.io/build-image/debian-base:bookworm-v1.0.6',
    command: ['/bin/sh'],
    args: ['-c', script],
    volumeMounts: [{ name: 'vol', mountPath: '/scrub' }],
  };
  return {
    metadata: { name: `${recyclerPrefix}${metadata.name}`, namespace: recyclerNamespace },
    spec: { activeDeadlineSeconds: 60, restartPolicy: 'Never', volumes: [{ name: 'vol', ...source }], containers: [container] },
  };
}

const recyclerPrefix = 'recycler-for-';
const recyclerNamespace = 'default';

/** The name of the volume whose content a pod removes; undefined for other pods. */
export function recycledVolume({ metadata: { name = '', namespace }, spec }: Pick<corev1.Pod, 'metadata' | 'spec'>): string | undefined {
  const isRecycler = namespace === recyclerNamespace && name.startsWith(recyclerPrefix) && spec.volumes?.[0]?.name === 'vol';
  return isRecycler ? name.slice(recyclerPrefix.length) : undefined;
}
