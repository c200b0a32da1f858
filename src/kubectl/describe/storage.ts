import { formatGoValue, formatHumanDuration, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { itemsOf, metadataOf, nameOf, textsOf } from '../resources/info.ts';
import type { DescribeInput, Describer } from './describers.ts';
import { formatLabels, formatTime, type Report, textIn, textsIn, writeAnnotations, writeLabels, yesOrNo } from './report.ts';
import { writeVolumeSource } from './volumes.ts';

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function modesText(list: readonly string[]): string {
  return Object.keys(modes)
    .filter((mode) => list.includes(mode))
    .map((mode) => modes[mode])
    .join(',');
}

function statusText(report: Report, object: JsonObject): string {
  const deletionTimestamp = textIn(metadataOf(object), 'deletionTimestamp');
  return deletionTimestamp === ''
    ? textIn(recordAt(object, 'status'), 'phase')
    : `Terminating (lasts ${formatHumanDuration(report.nowMs - Date.parse(deletionTimestamp))})`;
}

function classOf(object: JsonObject): string {
  return (
    textsOf(metadataOf(object)['annotations'])['volume.beta.kubernetes.io/storage-class'] ??
    textIn(recordAt(object, 'spec'), 'storageClassName')
  );
}

const persistentVolume: Describer = ({ report, object }) => {
  const spec = recordAt(object, 'spec');
  report.line(0, 'Name:', nameOf(object));
  writeLabels(report, 'Labels', metadataOf(object)['labels']);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  report.line(0, 'Finalizers:', formatGoValue(textsIn(metadataOf(object), 'finalizers')));
  report.line(0, 'StorageClass:', classOf(object));
  report.line(0, 'Status:', statusText(report, object));
  const claim = recordAt(spec, 'claimRef');
  report.line(0, 'Claim:', spec['claimRef'] === undefined ? '' : `${textIn(claim, 'namespace')}/${textIn(claim, 'name')}`);
  report.line(0, 'Reclaim Policy:', textIn(spec, 'persistentVolumeReclaimPolicy'));
  report.line(0, 'Access Modes:', modesText(textsIn(spec, 'accessModes')));
  if (spec['volumeMode'] !== undefined) report.line(0, 'VolumeMode:', textIn(spec, 'volumeMode'));
  report.line(0, 'Capacity:', textIn(recordAt(spec, 'capacity'), 'storage', '0'));
  writeAffinity(report, recordAt(spec, 'nodeAffinity'));
  report.line(0, 'Message:', textIn(recordAt(object, 'status'), 'message'));
  report.line(0, 'Source:');
  writeVolumeSource(report, spec, true);
};

function writeAffinity(report: Report, affinity: JsonObject): void {
  if (affinity['required'] === undefined) {
    report.line(0, 'Node Affinity:', '<none>');
    return;
  }
  report.line(0, 'Node Affinity:', '');
  const terms = objectsAt(recordAt(affinity, 'required'), 'nodeSelectorTerms');
  report.line(1, 'Required Terms:', terms.length === 0 ? '<none>' : '');
  for (const [index, term] of terms.entries()) {
    const expressions = objectsAt(term, 'matchExpressions');
    report.write(2, `Term ${index}:\t`);
    if (expressions.length === 0) report.line(0, '<none>');
    for (const [place, one] of expressions.entries()) {
      const values = textsIn(one, 'values');
      const text = `${textIn(one, 'key')} ${textIn(one, 'operator').toLowerCase()}${values.length > 0 ? ` [${values.join(', ')}]` : ''}`;
      if (place > 0) report.write(2, '\t');
      report.line(0, text);
    }
  }
}

const persistentVolumeClaim: Describer = async ({ call, info, report, object }) => {
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  report.line(0, 'Name:', nameOf(object));
  report.line(0, 'Namespace:', textIn(metadataOf(object), 'namespace'));
  report.line(0, 'StorageClass:', classOf(object));
  report.line(0, 'Status:', statusText(report, object));
  report.line(0, 'Volume:', textIn(spec, 'volumeName'));
  writeLabels(report, 'Labels', metadataOf(object)['labels']);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  report.line(0, 'Finalizers:', formatGoValue(textsIn(metadataOf(object), 'finalizers')));
  const bound = textIn(spec, 'volumeName') !== '';
  report.line(0, 'Capacity:', bound ? textIn(recordAt(status, 'capacity'), 'storage', '0') : '');
  report.line(0, 'Access Modes:', bound ? modesText(textsIn(status, 'accessModes')) : '');
  if (spec['volumeMode'] !== undefined) report.line(0, 'VolumeMode:', textIn(spec, 'volumeMode'));
  if (spec['dataSource'] !== undefined) {
    const source = recordAt(spec, 'dataSource');
    report.line(0, 'DataSource:');
    if (source['apiGroup'] !== undefined) report.line(1, 'APIGroup:', textIn(source, 'apiGroup'));
    report.line(1, 'Kind:', textIn(source, 'kind'));
    report.line(1, 'Name:', textIn(source, 'name'));
  }
  const pods = itemsOf(await (await call.api()).read('GET', `/api/v1/namespaces/${info.namespace}/pods`, { query: { limit: '500' } }));
  const users = pods.filter((pod) =>
    objectsAt(recordAt(pod, 'spec'), 'volumes').some((volume) => recordAt(volume, 'persistentVolumeClaim')['claimName'] === info.name),
  );
  report.line(0, 'Used By:', users.map(nameOf).join('\n\t') || '<none>');
  const conditions = objectsAt(status, 'conditions');
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status', 'LastProbeTime', 'LastTransitionTime', 'Reason', 'Message');
  report.line(1, '----', '------', '-----------------', '------------------', '------', '-------');
  for (const one of conditions)
    report.line(
      1,
      `${textIn(one, 'type')} `,
      `${textIn(one, 'status')} `,
      `${formatTime(one['lastProbeTime'])} `,
      `${formatTime(one['lastTransitionTime'])} `,
      `${textIn(one, 'reason')} `,
      textIn(one, 'message'),
    );
};

const storageClass: Describer = ({ report, object }) => {
  const annotations = textsOf(metadataOf(object)['annotations']);
  const isDefault =
    annotations['storageclass.kubernetes.io/is-default-class'] === 'true' ||
    annotations['storageclass.beta.kubernetes.io/is-default-class'] === 'true';
  report.line(0, 'Name:', nameOf(object));
  report.line(0, 'IsDefaultClass:', isDefault ? 'Yes' : 'No');
  report.line(0, 'Annotations:', formatLabels(annotations));
  report.line(0, 'Provisioner:', textIn(object, 'provisioner'));
  report.line(0, 'Parameters:', formatLabels(object['parameters']));
  report.line(0, 'AllowVolumeExpansion:', yesOrNo(object['allowVolumeExpansion']));
  const options = textsIn(object, 'mountOptions');
  report.line(0, ...(options.length === 0 ? ['MountOptions:', '<none>'] : ['MountOptions:']));
  for (const option of options) report.line(1, option);
  if (object['reclaimPolicy'] !== undefined) report.line(0, 'ReclaimPolicy:', textIn(object, 'reclaimPolicy'));
  if (object['volumeBindingMode'] !== undefined) report.line(0, 'VolumeBindingMode:', textIn(object, 'volumeBindingMode'));
  const topologies = objectsAt(object, 'allowedTopologies');
  if (object['allowedTopologies'] === undefined) return;
  report.line(0, 'AllowedTopologies:', topologies.length === 0 ? '<none>' : '');
  for (const [index, term] of topologies.entries()) {
    for (const [place, one] of objectsAt(term, 'matchLabelExpressions').entries()) {
      report.write(1, `${place === 0 ? `Term ${index}:` : ''}\t`);
      report.line(0, `${textIn(one, 'key')} in [${textsIn(one, 'values').join(', ')}]`);
    }
  }
};

const attributesClass: Describer = ({ report, object }) => {
  report.line(0, 'Name:', nameOf(object));
  report.line(0, 'Annotations:', formatLabels(metadataOf(object)['annotations']));
  report.line(0, 'DriverName:', textIn(object, 'driverName'));
  report.line(0, 'Parameters:', formatLabels(object['parameters']));
};

const csiNode: Describer = ({ report, object }: DescribeInput) => {
  report.line(0, 'Name:', nameOf(object));
  writeLabels(report, 'Labels', metadataOf(object)['labels']);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  report.line(0, 'CreationTimestamp:', formatTime(metadataOf(object)['creationTimestamp']));
  report.line(0, 'Spec:');
  const drivers = objectsAt(recordAt(object, 'spec'), 'drivers');
  if (recordAt(object, 'spec')['drivers'] !== undefined) report.line(1, 'Drivers:');
  for (const driver of drivers) {
    report.line(2, `${textIn(driver, 'name')}:`);
    report.line(3, 'Node ID:', textIn(driver, 'nodeID'));
    const count = textIn(recordAt(driver, 'allocatable'), 'count');
    if (count !== '') {
      report.line(3, 'Allocatables:');
      report.line(4, 'Count:', count);
    }
    if (driver['topologyKeys'] !== undefined) report.line(3, 'Topology Keys:', formatGoValue(textsIn(driver, 'topologyKeys')));
  }
};

export const storage: Readonly<Record<string, Describer>> = {
  '/PersistentVolume': persistentVolume,
  '/PersistentVolumeClaim': persistentVolumeClaim,
  'storage.k8s.io/StorageClass': storageClass,
  'storage.k8s.io/VolumeAttributesClass': attributesClass,
  'storage.k8s.io/CSINode': csiNode,
};
