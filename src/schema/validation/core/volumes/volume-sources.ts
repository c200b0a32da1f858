import { collectErrors, forbiddenField, invalid, isDns1123Subdomain, type JsonObject, required } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { optionalRecordAt, recordAt } from '../../accessors.ts';
import {
  type Errors,
  none,
  unsupported,
  validateDnsLabel,
  validateNameWith,
  validateOneOf,
  validateRange,
  validateRequiredText,
} from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { ValidationContext } from '../../kind-validator.ts';

/** Volume sources of both pods and PersistentVolumes: network storage and cloud disks. Cf. upstream core validation. */

/** The owner of a volume: Secret references of a PersistentVolume have a namespace. */
export interface VolumeOwner {
  readonly of: 'pod' | 'template' | 'persistentVolume';
  readonly name: string;
  readonly context: ValidationContext;
}

export type SourceCheck = (source: JsonObject, path: string, owner: VolumeOwner) => Errors;

/** Sources that upstream reports under a name other than the field's. */
const reportedNames: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
const forbiddenNames: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };
const maxIscsi = 64;
const tooLongForIscsi =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** A volume has exactly one source; the first one in upstream's order counts. */
export function validateSingleSource(
  volume: JsonObject,
  order: readonly string[],
  checks: Readonly<Record<string, SourceCheck>>,
  owner: VolumeOwner,
  path: string,
): Errors {
  const present = order.filter((field) => optionalRecordAt(volume, field) !== undefined);
  if (present.length === 0) return [required(path, 'must specify a volume type')];
  // Upstream misses this check for one source.
  const isExtra = (field: string, index: number): boolean => index > 0 && !(owner.of === 'persistentVolume' && field === 'flexVolume');
  return present.flatMap((field, index) => [
    ...(isExtra(field, index)
      ? [forbiddenField(`${path}.${forbiddenNames[field] ?? field}`, 'may not specify more than 1 volume type')]
      : (checks[field]?.(recordAt(volume, field), `${path}.${reportedNames[field] ?? field}`, owner) ?? none)),
    ...(field === 'iscsi' && owner.of !== 'persistentVolume'
      ? validateIscsiNameLength(recordAt(volume, field), owner, `${path}.name`)
      : none),
  ]);
}

function validateIscsiNameLength(source: Decoded<corev1.ISCSIVolumeSource>, { name }: VolumeOwner, path: string): Errors {
  const { initiatorName, targetPortal = '' } = source;
  const isLong = initiatorName !== undefined && `${name}:${targetPortal}`.length > maxIscsi;
  return isLong ? [invalid(path, name, tooLongForIscsi)] : none;
}

const validateRequiredTexts = (source: JsonObject, fields: readonly string[], path: string): Errors =>
  fields.flatMap((field) => validateRequiredText(source, field, path));

const texts =
  (...fields: readonly string[]): SourceCheck =>
  (source, path) =>
    validateRequiredTexts(source, fields, path);

const disk =
  (field: string): SourceCheck =>
  (source: Decoded<corev1.AWSElasticBlockStoreVolumeSource>, path) => [
    ...validateRequiredText(source, field, path),
    // Zero is the whole disk, although the message excludes it.
    ...validatePartition(source.partition ?? 0, `${path}.partition`),
  ];

function validatePartition(value: number, path: string): Errors {
  return value === 0 ? none : validateRange(value, 1, 255, path);
}

export const networkSources: Readonly<Record<string, SourceCheck>> = {
  gcePersistentDisk: disk('pdName'),
  awsElasticBlockStore: disk('volumeID'),
  glusterfs: (source, path) => [...validateRequiredTexts(source, ['endpoints', 'path'], path), ...validateEndpointsNamespace(source, path)],
  flocker: validateFlocker,
  rbd: (source, path) => [...validateMonitors(source, path), ...validateRequiredText(source, 'image', path)],
  quobyte: validateQuobyte,
  cephfs: (source, path) => validateMonitors(source, path),
  iscsi: validateIscsi,
  cinder: (source, path, owner) => [...validateRequiredText(source, 'volumeID', path), ...validateSecretReference(source, path, owner)],
  fc: validateFibreChannel,
  flexVolume: validateFlexVolume,
  azureFile: (source: Decoded<corev1.AzureFilePersistentVolumeSource>, path) => [
    ...validateRequiredTexts(source, ['secretName', 'shareName'], path),
    ...(source.secretNamespace === '' ? [required(`${path}.secretNamespace`, '')] : none),
  ],
  vsphereVolume: texts('volumePath'),
  photonPersistentDisk: texts('pdID'),
  portworxVolume: texts('volumeID'),
  azureDisk: validateAzureDisk,
  scaleIO: texts('gateway', 'system', 'volumeName'),
  storageos: validateStorageos,
};

function validateMonitors({ monitors }: Decoded<corev1.RBDVolumeSource>, path: string): Errors {
  return monitors?.length ? none : [required(`${path}.monitors`, '')];
}

function validateEndpointsNamespace(source: Decoded<corev1.GlusterfsPersistentVolumeSource>, path: string): Errors {
  const { endpointsNamespace: namespace } = source;
  const at = `${path}.endpointsNamespace`;
  if (namespace === undefined) return none;
  if (namespace !== '') return validateDnsLabel(namespace, at);
  return [invalid(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name')];
}

function validateFlocker(source: Decoded<corev1.FlockerVolumeSource>, path: string): Errors {
  const [name, uuid] = [source.datasetName ?? '', source.datasetUUID ?? ''];
  return [
    ...(name === '' && uuid === '' ? [required(path, 'one of datasetName and datasetUUID is required')] : none),
    ...(name !== '' && uuid !== '' ? [invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')] : none),
    ...(name.includes('/') ? [invalid(`${path}.datasetName`, name, "must not contain '/'")] : none),
  ];
}

const maxTenant = 64;

function validateQuobyte(source: Decoded<corev1.QuobyteVolumeSource>, path: string): Errors {
  const registry = source.registry ?? '';
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  const at = `${path}.registry`;
  const errors =
    registry === ''
      ? [required(at, why)]
      : (source.tenant ?? '').length > maxTenant
        ? [required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters')]
        : collectErrors(registry.split(','), (pair) => (isHostAndPort(pair) ? none : [invalid(at, registry, why)]));
  return [...errors, ...validateRequiredText(source, 'volume', path)];
}

function isHostAndPort(text: string): boolean {
  return /^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(text);
}

const names = [/^iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/, /^eui.[A-Za-z0-9]{16}$/, /^naa.[A-Za-z0-9]{32}$/];

function validateIscsi(source: Decoded<corev1.ISCSIVolumeSource>, path: string, owner: VolumeOwner): Errors {
  const [portal, iqn, initiator] = [source.targetPortal ?? '', source.iqn ?? '', source.initiatorName];
  const secret = source.secretRef;
  const needsSecret = (source.chapAuthDiscovery === true || source.chapAuthSession === true) && !secret;
  const isLong = owner.of === 'persistentVolume' && initiator !== undefined && `${owner.name}:${portal}`.length > maxIscsi;
  return [
    ...validateRequiredText(source, 'targetPortal', path),
    ...(isLong ? [invalid(`${path}.targetportal`, portal, tooLongForIscsi)] : none),
    ...(iqn === '' ? [required(`${path}.iqn`, '')] : validateIscsiName(iqn, `${path}.iqn`, owner)),
    ...validateRange(source.lun ?? 0, 0, 255, `${path}.lun`),
    ...(needsSecret ? [required(`${path}.secretRef`, '')] : none),
    ...(owner.of === 'persistentVolume' && secret ? validateRequiredText(secret, 'name', `${path}.secretRef`) : none),
    ...(initiator === undefined ? none : validateIscsiName(initiator, `${path}.initiatorname`, owner)),
  ];
}

function validateIscsiName(name: string, path: string, { of }: VolumeOwner): Errors {
  if (names.some((pattern) => pattern.test(name))) return none;
  const known = ['iqn', 'eui', 'naa'].some((prefix) => name.startsWith(prefix));
  return [
    invalid(
      path,
      name,
      known || of === 'persistentVolume' ? 'must be valid format' : 'must be valid format starting with iqn, eui, or naa',
    ),
  ];
}

function validateFibreChannel(source: Decoded<corev1.FCVolumeSource>, path: string): Errors {
  const [targets, ids, lun] = [source.targetWWNs ?? [], source.wwids ?? [], source.lun];
  const at = `${path}.targetWWNs`;
  const errors = [];
  if (targets.length + ids.length === 0) errors.push(required(at, 'must specify either targetWWNs or wwids, but not both'));
  if (targets.length > 0 && ids.length > 0) errors.push(invalid(at, targets, 'targetWWNs and wwids can not be specified simultaneously'));
  if (targets.length === 0) return errors;
  if (lun === undefined) return [...errors, required(`${path}.lun`, 'lun is required if targetWWNs is specified')];
  return [...errors, ...validateRange(lun, 0, 255, `${path}.lun`)];
}

function validateFlexVolume(source: Decoded<corev1.FlexVolumeSource>, path: string, { context: { rename } }: VolumeOwner): Errors {
  const [own, short] = [rename('kubernetes.io'), rename('k8s.io')];
  return [
    ...validateRequiredText(source, 'driver', path),
    ...collectErrors(Object.keys(source.options ?? {}), (key) => {
      const domain = `.${(key.split('/')[0] ?? '').toLowerCase()}`;
      const reserved = domain.endsWith(`.${own}`) || domain.endsWith(`.${short}`);
      return reserved ? [invalid(`${path}.options[${key}]`, key, `${own} and ${short} namespaces are reserved`)] : none;
    }),
  ];
}

const managedDisks = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDisks = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

function validateAzureDisk(source: Decoded<corev1.AzureDiskVolumeSource>, path: string): Errors {
  const [kind, uri] = [source.kind, source.diskURI ?? ''];
  const form = kind === 'Managed' ? managedDisks : blobDisks;
  const start = kind === 'Managed' ? '/subscriptions/' : 'https://';
  return [
    ...validateRequiredTexts(source, ['diskName', 'diskURI'], path),
    ...validateOneOf(source.cachingMode, ['None', 'ReadOnly', 'ReadWrite'], `${path}.cachingMode`),
    ...validateOneOf(kind, ['Dedicated', 'Managed', 'Shared'], `${path}.kind`),
    ...(kind === undefined || uri.startsWith(start) ? none : [unsupported(`${path}.diskURI`, uri, [form])]),
  ];
}

function validateStorageos(source: Decoded<corev1.StorageOSVolumeSource>, path: string, owner: VolumeOwner): Errors {
  const { volumeName: name = '', volumeNamespace: namespace = '' } = source;
  return [
    ...(name === '' ? [required(`${path}.volumeName`, '')] : validateDnsLabel(name, `${path}.volumeName`)),
    ...(namespace === '' ? none : validateDnsLabel(namespace, `${path}.volumeNamespace`)),
    ...validateSecretReference(source, path, owner),
  ];
}

function validateSecretReference(source: JsonObject, path: string, { of }: VolumeOwner): Errors {
  const secret = optionalRecordAt(source, 'secretRef');
  if (!secret) return none;
  return (of === 'persistentVolume' ? ['name', 'namespace'] : ['name']).flatMap((field) =>
    validateRequiredText(secret, field, `${path}.secretRef`),
  );
}

const maxDriver = 63;

/** Driver names are domain names. Cf. upstream ValidateCSIDriverName. */
export function validateDriverName(name: string, path: string): Errors {
  return [
    ...(name === '' ? [required(path, '')] : none),
    ...(name.length > maxDriver
      ? [{ reason: 'FieldValueTooLong' as const, field: path, message: `Too long: may not be more than ${maxDriver} bytes` }]
      : none),
    ...isDns1123Subdomain(name.toLowerCase()).map((why) => invalid(path, name, why)),
  ];
}

/** The driver of an inline volume of a pod. */
export function validateInlineDriver(source: Decoded<corev1.CSIVolumeSource>, path: string): Errors {
  const secret = source.nodePublishSecretRef;
  const name = secret?.name ?? '';
  return [
    ...validateDriverName(source.driver ?? '', `${path}.driver`),
    ...(secret
      ? name === ''
        ? [required(`${path}.nodePublishSecretRef.name`, '')]
        : validateNameWith(isDns1123Subdomain, name, `${path}.name`)
      : none),
  ];
}
