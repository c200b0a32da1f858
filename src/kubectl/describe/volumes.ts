import { formatGoValue, isJsonObject, type Json, type JsonObject, recordAt } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { formatLabels, Report, storageClassOf, textIn, writeAnnotations, writeLabels } from './report.ts';

/** A printed field; `none` is its text when unset. */
type VolumeField = readonly [title: string, member: string, none?: string];

interface VolumeText {
  /** `EmptyDir (a temporary directory …)`. */
  readonly about: string;
  readonly fields: readonly VolumeField[];
}

const fsType: VolumeField = ['FSType', 'fsType'];
const readOnly: VolumeField = ['ReadOnly', 'readOnly', 'false'];
const volumeId: VolumeField = ['VolumeID', 'volumeID'];

/** The texts of each volume type, by its API member. */
const volumeTexts: Readonly<Record<string, VolumeText>> = {
  hostPath: {
    about: 'HostPath (bare host directory volume)',
    fields: [
      ['Path', 'path'],
      ['HostPathType', 'type', '<none>'],
    ],
  },
  emptyDir: {
    about: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    fields: [
      ['Medium', 'medium'],
      ['SizeLimit', 'sizeLimit', '<unset>'],
    ],
  },
  gcePersistentDisk: {
    about: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    fields: [['PDName', 'pdName'], fsType, ['Partition', 'partition', '0'], readOnly],
  },
  awsElasticBlockStore: {
    about: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    fields: [volumeId, fsType, ['Partition', 'partition', '0'], readOnly],
  },
  gitRepo: {
    about: 'GitRepo (a volume that is pulled from git when the pod is created)',
    fields: [
      ['Repository', 'repository'],
      ['Revision', 'revision'],
    ],
  },
  secret: {
    about: 'Secret (a volume populated by a Secret)',
    fields: [
      ['SecretName', 'secretName'],
      ['Optional', 'optional', 'false'],
    ],
  },
  configMap: {
    about: 'ConfigMap (a volume populated by a ConfigMap)',
    fields: [
      ['Name', 'name'],
      ['Optional', 'optional', 'false'],
    ],
  },
  nfs: { about: 'NFS (an NFS mount that lasts the lifetime of a pod)', fields: [['Server', 'server'], ['Path', 'path'], readOnly] },
  iscsi: {
    about: "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
    fields: [
      ['TargetPortal', 'targetPortal'],
      ['IQN', 'iqn'],
      ['Lun', 'lun', '0'],
      fsType,
      readOnly,
      ['InitiatorName', 'initiatorName', '<none>'],
    ],
  },
  persistentVolumeClaim: {
    about: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    fields: [['ClaimName', 'claimName'], readOnly],
  },
  ephemeral: { about: 'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)', fields: [] },
  local: { about: 'LocalVolume (a persistent volume backed by local storage on a node)', fields: [['Path', 'path']] },
  image: {
    about: 'Image (a container image or OCI artifact)',
    fields: [
      ['Reference', 'reference'],
      ['PullPolicy', 'pullPolicy'],
    ],
  },
  csi: { about: 'CSI (a Container Storage Interface (CSI) volume source)', fields: [['Driver', 'driver'], fsType, readOnly] },
  fc: { about: 'FC (a Fibre Channel disk)', fields: [['TargetWWNs', 'targetWWNs'], ['LUN', 'lun', '<none>'], fsType, readOnly] },
  cephfs: {
    about: "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
    fields: [['Monitors', 'monitors'], ['Path', 'path'], ['User', 'user'], readOnly],
  },
  azureFile: {
    about: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    fields: [['SecretName', 'secretName'], ['ShareName', 'shareName'], readOnly],
  },
};

export function writeVolumes(report: Report, volumes: readonly JsonObject[], space: string): void {
  if (volumes.length === 0) {
    report.line(0, `${space}Volumes:`, '<none>');
    return;
  }
  report.line(0, `${space}Volumes:`);
  for (const volume of volumes) {
    report.line(1, `${space === '' ? '' : ' '}${textIn(volume, 'name')}:`);
    writeVolumeSource(report, volume);
  }
}

/** Writes the object's volume source. `persistent` volumes also have their handle. */
export function writeVolumeSource(report: Report, from: JsonObject, persistent = false): void {
  if (isJsonObject(from['projected'])) {
    writeProjected(report, from['projected']);
    return;
  }
  if (isJsonObject(from['downwardAPI'])) {
    writeDownward(report, from['downwardAPI']);
    return;
  }
  const kind = Object.keys(volumeTexts).find((name) => from[name] !== undefined);
  const text = kind === undefined ? undefined : volumeTexts[kind];
  if (kind === undefined || !text) {
    report.line(1, '<unknown>');
    return;
  }
  const source = recordAt(from, kind);
  report.line(2, 'Type:', text.about);
  for (const [title, member, none = ''] of text.fields) {
    if (persistent && kind === 'csi' && member === 'readOnly') report.line(2, 'VolumeHandle:', textIn(source, 'volumeHandle'));
    report.line(2, `${title}:`, formatField(source[member], none));
  }
  if (kind === 'ephemeral') writeClaimTemplate(report, source);
  if (kind === 'csi') report.line(2, 'VolumeAttributes:', formatLabels(source['volumeAttributes']).replaceAll(',', '\n        \t'));
}

/** The claim of an ephemeral volume. kubectl indents its labels and annotations once more, except for lines of long values. */
function writeClaimTemplate(report: Report, { volumeClaimTemplate: template }: Decoded<corev1.EphemeralVolumeSource>): void {
  if (!template) return;
  const { metadata = {}, spec = {} } = template;
  const nested = (write: (inner: Report) => void): void => {
    const inner = new Report(report.nowMs);
    write(inner);
    for (const line of inner.raw().trimEnd().split('\n')) report.line(2, line.replace(/\t(?! {2})/, '\t    '));
  };
  report.line(2, 'StorageClass:', storageClassOf(template));
  report.line(2, 'Volume:', spec.volumeName);
  nested((inner) => writeLabels(inner, 'Labels', metadata.labels));
  nested((inner) => writeAnnotations(inner, 'Annotations', metadata.annotations));
  report.line(2, 'Capacity:', spec.volumeName ? '0' : '');
  report.line(2, 'Access Modes:', '');
  if (spec.volumeMode !== undefined) report.line(2, 'VolumeMode:', spec.volumeMode);
  writeDataSource(report, 2, spec.dataSource);
}

export function writeDataSource(report: Report, level: number, source: Decoded<corev1.TypedLocalObjectReference> | undefined): void {
  if (!source) return;
  report.line(level, 'DataSource:');
  report.optional(level + 1, 'APIGroup:', source.apiGroup);
  report.line(level + 1, 'Kind:', source.kind);
  report.line(level + 1, 'Name:', source.name);
}

function formatField(value: Json | undefined, none: string): string {
  return value === undefined || value === null ? none : formatGoValue(value);
}

function writeProjected(report: Report, { sources }: Decoded<corev1.ProjectedVolumeSource>): void {
  report.line(2, 'Type:', 'Projected (a volume that contains injected data from multiple sources)');
  for (const { secret, downwardAPI, configMap, serviceAccountToken } of sources ?? []) {
    if (secret) writeNamed(report, 'SecretName:', secret);
    else if (downwardAPI) report.line(2, 'DownwardAPI:', 'true');
    else if (configMap) writeNamed(report, 'ConfigMapName:', configMap);
    else if (serviceAccountToken) report.line(2, 'TokenExpirationSeconds:', textIn(serviceAccountToken, 'expirationSeconds'));
  }
}

function writeNamed(report: Report, title: string, { name, optional = false }: Decoded<corev1.ConfigMapProjection>): void {
  report.line(2, title, name ?? '');
  report.line(2, 'Optional:', optional);
}

function writeDownward(report: Report, { items = [] }: Decoded<corev1.DownwardAPIVolumeSource>): void {
  report.line(2, 'Type:', 'DownwardAPI (a volume populated by information about the pod)');
  report.line(2, 'Items:');
  for (const { fieldRef, resourceFieldRef, path = '' } of items) {
    const field = fieldRef?.fieldPath || (resourceFieldRef?.resource ?? '');
    report.line(3, `${field} -> ${path}`);
  }
}
