import { formatGoValue, formatHumanDuration } from '../../meta/index.ts';
import type { corev1, storagev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { itemsOf } from '../resources/info.ts';
import type { DescribeInput, Describer } from './describers.ts';
import { formatLabels, formatTime, type Report, storageClassOf, writeAnnotations, writeLabels, yesOrNo } from './report.ts';
import { writeDataSource, writeVolumeSource } from './volumes.ts';

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function modesText(list: readonly string[] = []): string {
  return Object.keys(modes)
    .filter((mode) => list.includes(mode))
    .map((mode) => modes[mode])
    .join(',');
}

type Volume = Decoded<corev1.PersistentVolume>;
type Claim = Decoded<corev1.PersistentVolumeClaim>;

function statusText(report: Report, { metadata, status }: Volume | Claim): string | undefined {
  const deletedAt = metadata?.deletionTimestamp;
  return deletedAt ? `Terminating (lasts ${formatHumanDuration(report.nowMs - Date.parse(deletedAt))})` : status?.phase;
}

const persistentVolume: Describer = ({ report, object }) => {
  const { metadata = {}, spec = {}, status }: Volume = object;
  report.line(0, 'Name:', metadata.name);
  writeLabels(report, 'Labels', metadata.labels);
  writeAnnotations(report, 'Annotations', metadata.annotations);
  report.line(0, 'Finalizers:', formatGoValue(metadata.finalizers ?? []));
  report.line(0, 'StorageClass:', storageClassOf(object));
  report.line(0, 'Status:', statusText(report, object));
  const { claimRef } = spec;
  report.line(0, 'Claim:', claimRef && `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`);
  report.line(0, 'Reclaim Policy:', spec.persistentVolumeReclaimPolicy);
  report.line(0, 'Access Modes:', modesText(spec.accessModes));
  if (spec.volumeMode !== undefined) report.line(0, 'VolumeMode:', spec.volumeMode);
  report.line(0, 'Capacity:', spec.capacity?.['storage'] || '0');
  writeAffinity(report, spec.nodeAffinity);
  report.line(0, 'Message:', status?.message);
  report.line(0, 'Source:');
  writeVolumeSource(report, spec, true);
};

function writeAffinity(report: Report, affinity: Decoded<corev1.VolumeNodeAffinity> | undefined): void {
  if (!affinity?.required) {
    report.line(0, 'Node Affinity:', '<none>');
    return;
  }
  report.line(0, 'Node Affinity:', '');
  const terms = affinity.required.nodeSelectorTerms ?? [];
  report.line(1, 'Required Terms:', terms.length === 0 ? '<none>' : '');
  for (const [index, term] of terms.entries()) {
    const { matchExpressions: expressions = [] } = term;
    report.write(2, `Term ${index}:\t`);
    if (expressions.length === 0) report.line(0, '<none>');
    for (const [place, { key = '', operator = '', values = [] }] of expressions.entries()) {
      const text = `${key} ${operator.toLowerCase()}${values.length > 0 ? ` [${values.join(', ')}]` : ''}`;
      if (place > 0) report.write(2, '\t');
      report.line(0, text);
    }
  }
}

const persistentVolumeClaim: Describer = async ({ call, info, report, object }) => {
  const { metadata = {}, spec = {}, status = {} }: Claim = object;
  report.line(0, 'Name:', metadata.name);
  report.line(0, 'Namespace:', metadata.namespace);
  report.line(0, 'StorageClass:', storageClassOf(object));
  report.line(0, 'Status:', statusText(report, object));
  report.line(0, 'Volume:', spec.volumeName);
  writeLabels(report, 'Labels', metadata.labels);
  writeAnnotations(report, 'Annotations', metadata.annotations);
  report.line(0, 'Finalizers:', formatGoValue(metadata.finalizers ?? []));
  const isBound = Boolean(spec.volumeName);
  report.line(0, 'Capacity:', isBound ? status.capacity?.['storage'] || '0' : '');
  report.line(0, 'Access Modes:', isBound ? modesText(status.accessModes) : '');
  if (spec.volumeMode !== undefined) report.line(0, 'VolumeMode:', spec.volumeMode);
  writeDataSource(report, 0, spec.dataSource);
  const pods: readonly Decoded<corev1.Pod>[] = itemsOf(
    await (await call.api()).read('GET', `/api/v1/namespaces/${info.namespace}/pods`, { query: { limit: '500' } }),
  );
  const users = pods.filter((pod) => pod.spec?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === info.name));
  report.line(0, 'Used By:', users.map((pod) => pod.metadata?.name ?? '').join('\n\t') || '<none>');
  const { conditions = [] } = status;
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status', 'LastProbeTime', 'LastTransitionTime', 'Reason', 'Message');
  report.line(1, '----', '------', '-----------------', '------------------', '------', '-------');
  for (const { type = '', status: state = '', lastProbeTime, lastTransitionTime, reason = '', message } of conditions)
    report.line(1, `${type} `, `${state} `, `${formatTime(lastProbeTime)} `, `${formatTime(lastTransitionTime)} `, `${reason} `, message);
};

const storageClass: Describer = ({ report, object }) => {
  const storage: Decoded<storagev1.StorageClass> = object;
  const { annotations = {}, name } = storage.metadata ?? {};
  const isDefault =
    annotations['storageclass.kubernetes.io/is-default-class'] === 'true' ||
    annotations['storageclass.beta.kubernetes.io/is-default-class'] === 'true';
  report.line(0, 'Name:', name);
  report.line(0, 'IsDefaultClass:', isDefault ? 'Yes' : 'No');
  report.line(0, 'Annotations:', formatLabels(annotations));
  report.line(0, 'Provisioner:', storage.provisioner);
  report.line(0, 'Parameters:', formatLabels(storage.parameters));
  report.line(0, 'AllowVolumeExpansion:', yesOrNo(storage.allowVolumeExpansion));
  const { mountOptions: options = [], reclaimPolicy, volumeBindingMode, allowedTopologies: topologies } = storage;
  report.line(0, 'MountOptions:', ...(options.length === 0 ? ['<none>'] : []));
  for (const option of options) report.line(1, option);
  if (reclaimPolicy !== undefined) report.line(0, 'ReclaimPolicy:', reclaimPolicy);
  if (volumeBindingMode !== undefined) report.line(0, 'VolumeBindingMode:', volumeBindingMode);
  if (!topologies) return;
  report.line(0, 'AllowedTopologies:', topologies.length === 0 ? '<none>' : '');
  for (const [index, { matchLabelExpressions = [] }] of topologies.entries()) {
    for (const [place, { key = '', values }] of matchLabelExpressions.entries()) {
      report.write(1, `${place === 0 ? `Term ${index}:` : ''}\t`);
      report.line(0, `${key} in [${(values ?? []).join(', ')}]`);
    }
  }
};

const attributesClass: Describer = ({ report, object }) => {
  const { metadata, driverName, parameters }: Decoded<storagev1.VolumeAttributesClass> = object;
  report.line(0, 'Name:', metadata?.name);
  report.line(0, 'Annotations:', formatLabels(metadata?.annotations));
  report.line(0, 'DriverName:', driverName);
  report.line(0, 'Parameters:', formatLabels(parameters));
};

const csiNode: Describer = ({ report, object }: DescribeInput) => {
  const { metadata = {}, spec }: Decoded<storagev1.CSINode> = object;
  report.line(0, 'Name:', metadata.name);
  writeLabels(report, 'Labels', metadata.labels);
  writeAnnotations(report, 'Annotations', metadata.annotations);
  report.line(0, 'CreationTimestamp:', formatTime(metadata.creationTimestamp));
  report.line(0, 'Spec:');
  if (spec?.drivers !== undefined) report.line(1, 'Drivers:');
  for (const { name = '', nodeID, allocatable, topologyKeys } of spec?.drivers ?? []) {
    report.line(2, `${name}:`);
    report.line(3, 'Node ID:', nodeID);
    if (allocatable?.count !== undefined) {
      report.line(3, 'Allocatables:');
      report.line(4, 'Count:', allocatable.count);
    }
    if (topologyKeys !== undefined) report.line(3, 'Topology Keys:', formatGoValue(topologyKeys ?? []));
  }
};

export const storage: Readonly<Record<string, Describer>> = {
  '/PersistentVolume': persistentVolume,
  '/PersistentVolumeClaim': persistentVolumeClaim,
  'storage.k8s.io/StorageClass': storageClass,
  'storage.k8s.io/VolumeAttributesClass': attributesClass,
  'storage.k8s.io/CSINode': csiNode,
};
