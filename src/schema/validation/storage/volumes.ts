import {
  collectErrors,
  compareQuantities,
  forbiddenField,
  invalid,
  isNativeResource,
  isQualifiedName,
  type JsonObject,
  parseQuantity,
  type Quantity,
  quantityInteger,
  required,
  signOfQuantity,
  trimEnd,
} from '../../../meta/index.ts';
import type { corev1 } from '../../api/index.ts';
import { isSemanticallyEqual, optionalRecordAt } from '../accessors.ts';
import {
  type Errors,
  none,
  presentFields,
  unsupported,
  validateDnsLabel,
  validateDnsSubdomain,
  validateImmutable,
  validateNameWith,
  validateOneOf,
  validateRequiredText,
} from '../checks.ts';
import { validateNodeSelector } from '../core/pods/scheduling.ts';
import { accessModes, validateClaimSpec, validateSingleNodeAccess, volumeModes } from '../core/volumes/claim-spec.ts';
import { validateNoBacksteps } from '../core/volumes/paths.ts';
import { networkSources, type SourceCheck, validateDriverName, validateSingleSource } from '../core/volumes/volume-sources.ts';
import { validateHostPath, validateNfs } from '../core/volumes/volumes.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';

const volume = { type: 'core.PersistentVolume', namespaced: false };
const claim = { type: 'core.PersistentVolumeClaim', namespaced: true };

/** PersistentVolume and PersistentVolumeClaim; upstream validates both twice on update. Cf. upstream pkg/apis/core/validation. */
export function volumeValidators(context: ValidationContext): KindValidators {
  return {
    'core.PersistentVolume': {
      create: (object) => [...validatePersistentVolume(object, context), ...validateMountOptions(object, context)],
      update: (next, old) => [
        ...validateFullMetadata(volume, next),
        ...validatePersistentVolume(next, context),
        ...validateMountOptions(next, context),
        ...validateFullMetadata(volume, next),
        ...validatePersistentVolume(next, context),
        ...validateVolumeUpdate(next.spec ?? {}, old.spec ?? {}, context),
      ],
      updateStatus: validateObjectMetaUpdate,
    },
    'core.PersistentVolumeClaim': {
      create: (object) => validateClaimSpec(object.spec ?? {}, 'spec'),
      update: (next, old) => [
        ...validateFullMetadata(claim, next),
        ...validateClaimSpec(next.spec ?? {}, 'spec'),
        ...validateObjectMetaUpdate(next, old),
        ...validateFullMetadata(claim, next),
        ...validateClaimSpec(next.spec ?? {}, 'spec'),
        ...validateClaimUpdate(next, old, context),
      ],
      updateStatus: (next, old) => [...validateObjectMetaUpdate(next, old), ...validateClaimStatus(next, context)],
    },
  };
}

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];

function validatePersistentVolume(object: Decoded<corev1.PersistentVolume>, context: ValidationContext): Errors {
  const spec = object.spec ?? {};
  const modes = spec.accessModes ?? [];
  const className = spec.storageClassName ?? '';
  const recycled = (spec.persistentVolumeReclaimPolicy ?? '') === 'Recycle';
  const root = recycled && trimEnd(spec.hostPath?.path ?? '', '/') === '' && 'hostPath' in spec;
  return [
    ...(modes.length === 0 ? [required('spec.accessModes', '')] : none),
    ...collectErrors(modes, (mode) => validateOneOf(mode, accessModes, 'spec.accessModes')),
    ...validateSingleNodeAccess(modes, 'spec'),
    ...validateCapacity(spec),
    ...validateOneOf(spec.persistentVolumeReclaimPolicy ?? '', reclaimPolicies, 'spec.persistentVolumeReclaimPolicy'),
    ...validateVolumeAffinity(spec),
    ...validateVolumeSource(spec, object.metadata?.name ?? '', context, 'spec'),
    ...(root ? [forbiddenField('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")] : none),
    ...(className === '' ? none : validateDnsSubdomain(className, 'spec.storageClassName')),
    ...validateOneOf(spec.volumeMode, volumeModes, 'spec.volumeMode'),
    ...validateAttributesClass(spec),
  ];
}

/** Attributes are opaque to all but drivers. */
function validateAttributesClass(spec: Decoded<corev1.PersistentVolumeSpec>): Errors {
  const name = spec.volumeAttributesClassName;
  const at = 'spec.volumeAttributesClassName';
  if (name === undefined) return none;
  return [
    ...(name === '' ? [required(at, 'an empty string is disallowed')] : validateDnsSubdomain(name, at)),
    ...('csi' in spec ? none : [required('spec.csi', 'has to be specified when using volumeAttributesClassName')]),
  ];
}

const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];

/** The deprecated annotation for mount options. Cf. upstream checkMountOption. */
function validateMountOptions(object: Decoded<corev1.PersistentVolume>, { rename }: ValidationContext): Errors {
  const annotation = rename('volume.beta.kubernetes.io/mount-options');
  const isSet = Object.hasOwn(object.metadata?.annotations ?? {}, annotation);
  if (!isSet || presentFields(object.spec ?? {}, mountable).length > 0) return none;
  return [forbiddenField(`metadata.annotations.${annotation}`, 'may not specify mount options for this volume type')];
}

function validateCapacity(spec: Decoded<corev1.PersistentVolumeSpec>): Errors {
  const given = spec.capacity ?? {};
  const names = Object.keys(given);
  const errors = names.length === 0 ? [required('spec.capacity', '')] : [];
  if (names.length !== 1 || names[0] !== 'storage') errors.push(unsupported('spec.capacity', spec.capacity ?? null, ['storage']));
  return [...errors, ...collectErrors(Object.entries(given), ([name, amount]) => capacityOf(String(amount), `spec.capacity[${name}]`))];
}

function capacityOf(amount: string, path: string): Errors {
  const quantity = parseQuantity(amount);
  const whole = quantityInteger(quantity);
  return [
    ...(whole < 0n ? [invalid(path, whole, 'must be a valid resource quantity')] : none),
    ...(signOfQuantity(quantity) > 0 ? none : [invalid(path, amount, 'must be greater than zero')]),
  ];
}

/** A local volume requires node affinity. */
function validateVolumeAffinity(spec: Decoded<corev1.PersistentVolumeSpec>): Errors {
  const affinity = spec.nodeAffinity;
  const needed = affinity?.required;
  if (affinity && !needed) return [required('spec.nodeAffinity.required', 'must specify required node constraints')];
  return needed ? validateNodeSelector(needed, 'spec.nodeAffinity.required') : none;
}

const ownSources: Readonly<Record<string, SourceCheck>> = { hostPath: validateHostPath, nfs: validateNfs, csi: validateCsi };
const order = [
  ...['hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'flocker', 'nfs', 'rbd', 'quobyte', 'cephfs', 'iscsi'],
  ...['cinder', 'fc', 'flexVolume', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk', 'scaleIO'],
  ...['local', 'storageos', 'csi'],
];

/** The source of a volume, also of an inline one in an attachment. */
export function validateVolumeSource(spec: JsonObject, name: string, context: ValidationContext, path: string): Errors {
  const placed: SourceCheck = (source, at) => [
    ...validateLocal(source, at),
    ...('nodeAffinity' in spec ? none : [required(`${path}.nodeAffinity`, 'Local volume requires node affinity')]),
  ];
  const sources = { ...networkSources, ...ownSources, local: placed };
  return validateSingleSource(spec, order, sources, { of: 'persistentVolume', name, context }, path);
}

function validateLocal(source: Decoded<corev1.LocalVolumeSource>, path: string): Errors {
  const target = source.path ?? '';
  return target === '' ? [required(`${path}.path`, '')] : validateNoBacksteps(target, `${path}.path`);
}

function validateCsi(source: Decoded<corev1.CSIPersistentVolumeSource>, path: string): Errors {
  const secrets = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'];
  return [
    ...validateDriverName(source.driver ?? '', `${path}.driver`),
    ...validateRequiredText(source, 'volumeHandle', path),
    ...collectErrors(secrets, (field) => {
      const secret = optionalRecordAt(source, field);
      return secret ? validateSecretReference(secret, `${path}.${field}`) : none;
    }),
  ];
}

function validateSecretReference(secret: Decoded<corev1.SecretReference>, path: string): Errors {
  const [name, namespace] = [secret.name ?? '', secret.namespace ?? ''];
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : validateDnsSubdomain(name, `${path}.name`)),
    ...(namespace === '' ? [required(`${path}.namespace`, '')] : validateDnsLabel(namespace, `${path}.namespace`)),
  ];
}

const ownFields = [
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
];

function sourceOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !ownFields.includes(field)));
}

function validateVolumeUpdate(
  spec: Decoded<corev1.PersistentVolumeSpec>,
  old: Decoded<corev1.PersistentVolumeSpec>,
  { internal }: ValidationContext,
): Errors {
  const [source, before] = [withExpandSecret(spec, old), old].map((one) => internal.value(sourceOf(one), 'core/v1.PersistentVolumeSource'));
  const why = 'spec.persistentvolumesource is immutable after creation';
  const changed = isSemanticallyEqual(source, before)
    ? none
    : [forbiddenField('spec.persistentvolumesource', `${why}\n${internal.difference(before ?? null, source ?? null)}`)];
  const [affinity, was] = [spec.nodeAffinity, old.nodeAffinity];
  return [
    ...changed,
    // Upstream reports it without its parent path.
    ...validateImmutable(spec.volumeMode, old.volumeMode, 'volumeMode'),
    ...(was && !isSemanticallyEqual(affinity, was)
      ? [invalid('nodeAffinity', affinity ? internal.value(affinity, 'core/v1.VolumeNodeAffinity') : null, immutableAffinity)]
      : none),
    ...validateAttributesClassUpdate(spec, old),
  ];
}

const immutableAffinity = 'field is immutable, except for updating from beta label to GA';

/** The secret for expansion may be set later. */
function withExpandSecret(spec: Decoded<corev1.PersistentVolumeSpec>, old: Decoded<corev1.PersistentVolumeSpec>): JsonObject {
  const given = spec.csi && old.csi && old.csi.controllerExpandSecretRef === undefined;
  return given ? { ...spec, csi: { ...spec.csi, controllerExpandSecretRef: null } } : spec;
}

function validateAttributesClassUpdate(spec: Decoded<corev1.PersistentVolumeSpec>, old: Decoded<corev1.PersistentVolumeSpec>): Errors {
  const removed = spec.volumeAttributesClassName === undefined && old.volumeAttributesClassName !== undefined;
  return removed ? [forbiddenField('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')] : none;
}

const mutableFieldsError = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** A claim is immutable, but a bound one may be expanded. Cf. upstream ValidatePersistentVolumeClaimUpdate. */
function validateClaimUpdate(
  next: Decoded<corev1.PersistentVolumeClaim>,
  old: Decoded<corev1.PersistentVolumeClaim>,
  { internal }: ValidationContext,
): Errors {
  const [spec, before] = [next.spec ?? {}, old.spec ?? {}];
  const bound = (next.status?.phase ?? '') === 'Bound';
  const type = 'core/v1.PersistentVolumeClaimSpec';
  // The volume of a claim may be set once.
  const then = (before.volumeName ?? '') === '' ? { ...before, volumeName: spec.volumeName ?? null } : before;
  // A claim without a class may get the default one later.
  const classed = before.storageClassName === undefined ? { storageClassName: null } : {};
  const now = { ...spec, ...classed, ...(bound ? restoreMutableFields(spec, before) : {}) };
  const change = (): string => internal.difference(internal.value(then, type), internal.value(now, type));
  return [
    ...(internal.isEqual(now, then, type) ? none : [forbiddenField('spec', `${mutableFieldsError}\n${change()}`)]),
    ...validateShrink(next, old),
    ...validateImmutable(spec.volumeMode, before.volumeMode, 'volumeMode'),
    ...validateClaimClassUpdate(spec, old),
  ];
}

/** Replaces the mutable fields of a bound claim with the old ones. */
function restoreMutableFields(
  { resources }: Decoded<corev1.PersistentVolumeClaimSpec>,
  before: Decoded<corev1.PersistentVolumeClaimSpec>,
): JsonObject {
  const requests = resources?.requests;
  const storage = before.resources?.requests?.['storage'] ?? '0';
  return {
    volumeAttributesClassName: before.volumeAttributesClassName ?? null,
    ...(requests ? { resources: { ...resources, requests: { ...requests, storage } } } : {}),
  };
}

/** The class cannot be removed once it is set. */
function validateClaimClassUpdate(spec: Decoded<corev1.PersistentVolumeClaimSpec>, old: Decoded<corev1.PersistentVolumeClaim>): Errors {
  const name = spec.volumeAttributesClassName;
  const current = old.status?.currentVolumeAttributesClassName;
  if (isSemanticallyEqual(name, old.spec?.volumeAttributesClassName) || current === undefined) return none;
  const removal = name === undefined ? 'nil' : name === '' ? 'empty string' : undefined;
  if (removal === undefined) return none;
  const why = `update to ${removal} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbiddenField('spec.volumeAttributesClassName', why)];
}

/** A claim may shrink, since an expansion may have failed, but not below its capacity. */
function validateShrink(next: Decoded<corev1.PersistentVolumeClaim>, old: Decoded<corev1.PersistentVolumeClaim>): Errors {
  const storageOf = (amounts: Readonly<Record<string, string | undefined>> = {}): Quantity => parseQuantity(amounts['storage'] || '0');
  const [now, then] = [storageOf(next.spec?.resources?.requests), storageOf(old.spec?.resources?.requests)];
  const has = storageOf(old.status?.capacity);
  return compareQuantities(now, then) < 0 && compareQuantities(now, has) <= 0
    ? [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')]
    : none;
}

const resizing = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

function validateClaimStatus(claim: Decoded<corev1.PersistentVolumeClaim>, context: ValidationContext): Errors {
  const status = claim.status ?? {};
  const [statuses, allocated] = [status.allocatedResourceStatuses ?? {}, status.allocatedResources ?? {}];
  return [
    ...validateAmounts(status.capacity ?? {}, 'status.capacity'),
    ...collectErrors(Object.entries(statuses), ([name, state]) => [
      ...validateResizableResource(name, 'status.allocatedResourceStatuses', context),
      ...(resizing.includes(String(state)) ? none : [unsupported('status.allocatedResourceStatuses', name, resizing)]),
    ]),
    ...collectErrors(Object.entries(allocated), ([name, amount]) => {
      const unknown = validateResizableResource(name, 'status.allocatedResources', context);
      return unknown.length > 0 ? unknown : validateAmounts({ [name]: amount }, 'status.allocatedResources');
    }),
  ];
}

/** Of native resources only storage. */
function validateResizableResource(name: string, path: string, context: ValidationContext): Errors {
  const wrong = validateNameWith(isQualifiedName, name, path);
  if (wrong.length > 0) return wrong;
  return isNativeResource(name, context) && name !== 'storage' ? [unsupported(path, name, ['storage'])] : none;
}

function validateAmounts(list: JsonObject, path: string): Errors {
  return collectErrors(Object.entries(list), ([name, amount]) =>
    signOfQuantity(parseQuantity(String(amount))) < 0
      ? [invalid(`${path}[${name}]`, quantityInteger(parseQuantity(String(amount))), 'must be a valid resource quantity')]
      : none,
  );
}
