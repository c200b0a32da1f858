import {
  compareQuantities,
  forbiddenField,
  invalid,
  isDns1123Subdomain,
  type JsonObject,
  parseQuantity,
  required,
  signOfQuantity,
} from '../../../meta/index.ts';
import { dnsSubdomain, type Errors, immutable, named, none, oneOf, requiredText, unsupported } from '../checks.ts';
import { accessModes, claimSpec, onlyOnce, volumeModes } from '../core/claim-spec.ts';
import { noBacksteps } from '../core/paths.ts';
import { nodeSelector } from '../core/scheduling.ts';
import { hostPath, nfs } from '../core/volumes.ts';
import type { KindValidators } from '../kind-validator.ts';
import { isSame, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../reading.ts';
import { metadataUpdate, wholeMetadata } from '../revalidated.ts';

/** PersistentVolume and PersistentVolumeClaim. Cf. upstream pkg/apis/core/validation. */
export const volumeValidators: KindValidators = {
  'core.PersistentVolume': {
    create: persistentVolume,
    update: (next, old) => [
      ...wholeMetadata({ type: 'core.PersistentVolume', namespaced: false }, next),
      ...persistentVolume(next),
      ...volumeUpdate(recordAt(next, 'spec'), recordAt(old, 'spec')),
    ],
    updateStatus: metadataUpdate,
  },
  'core.PersistentVolumeClaim': {
    create: (claim) => claimSpec(recordAt(claim, 'spec'), 'spec'),
    update: (next, old) => [
      ...wholeMetadata({ type: 'core.PersistentVolumeClaim', namespaced: true }, next),
      ...claimSpec(recordAt(next, 'spec'), 'spec'),
      ...metadataUpdate(next, old),
      ...claimUpdate(next, old),
    ],
    updateStatus: (next, old) => [...metadataUpdate(next, old), ...claimStatus(next)],
  },
};

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];

function persistentVolume(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const modes = textsAt(spec, 'accessModes');
  const className = textAt(spec, 'storageClassName');
  const recycled = textAt(spec, 'persistentVolumeReclaimPolicy') === 'Recycle';
  const root = recycled && textAt(recordAt(spec, 'hostPath'), 'path').replace(/\/+$/, '') === '' && 'hostPath' in spec;
  return [
    ...(modes.length === 0 ? [required('spec.accessModes', '')] : none),
    ...modes.flatMap((mode) => oneOf(mode, accessModes, 'spec.accessModes')),
    ...onlyOnce(modes, 'spec'),
    ...capacity(recordAt(spec, 'capacity')),
    ...oneOf(textAt(spec, 'persistentVolumeReclaimPolicy'), reclaimPolicies, 'spec.persistentVolumeReclaimPolicy'),
    ...volumeAffinity(spec),
    ...volumeSource(spec, 'spec'),
    ...(root ? [forbiddenField('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")] : none),
    ...(className === '' ? none : dnsSubdomain(className, 'spec.storageClassName')),
    ...oneOf(optionalTextAt(spec, 'volumeMode'), volumeModes, 'spec.volumeMode'),
  ];
}

function capacity(given: JsonObject): Errors {
  const names = Object.keys(given);
  const errors = names.length === 0 ? [required('spec.capacity', '')] : [];
  if (names.length !== 1 || names[0] !== 'storage') {
    errors.push(unsupported('spec.capacity', names.length === 0 ? null : given, ['storage']));
  }
  return [
    ...errors,
    ...Object.entries(given).flatMap(([name, amount]) =>
      signOfQuantity(parseQuantity(String(amount))) > 0 || (name !== 'storage' && names.length === 1)
        ? none
        : [invalid(`spec.capacity[${name}]`, amount, 'must be greater than zero')],
    ),
  ];
}

/** A local volume is where it is. */
function volumeAffinity(spec: JsonObject): Errors {
  const affinity = optionalRecordAt(spec, 'nodeAffinity');
  const needed = optionalRecordAt(affinity, 'required');
  if (affinity && !needed) return [required('spec.nodeAffinity.required', 'must specify required node constraints')];
  return needed ? nodeSelector(needed, 'spec.nodeAffinity.required') : none;
}

type Check = (source: JsonObject, path: string) => Errors;
const fields =
  (...names: readonly string[]): Check =>
  (source, path) =>
    names.flatMap((name) => requiredText(source, name, path));

/** In the order in which upstream looks for them. */
const sources: readonly (readonly [field: string, check: Check])[] = [
  ['hostPath', hostPath],
  ['gcePersistentDisk', fields('pdName')],
  ['awsElasticBlockStore', fields('volumeID')],
  ['glusterfs', fields('endpoints', 'path')],
  ['flocker', () => none],
  ['nfs', nfs],
  ['rbd', fields('image')],
  ['quobyte', fields('registry', 'volume')],
  ['cephfs', () => none],
  ['iscsi', fields('targetPortal', 'iqn')],
  ['cinder', fields('volumeID')],
  ['fc', () => none],
  ['flexVolume', fields('driver')],
  ['azureFile', fields('secretName', 'shareName')],
  ['vsphereVolume', fields('volumePath')],
  ['photonPersistentDisk', fields('pdID')],
  ['portworxVolume', fields('volumeID')],
  ['azureDisk', fields('diskName', 'diskURI')],
  ['scaleIO', fields('gateway', 'system', 'volumeName')],
  ['local', local],
  ['storageos', () => none],
  ['csi', csi],
];

/** The source of a volume, also of one given inline to an attachment. */
export function volumeSource(spec: JsonObject, path: string): Errors {
  const present = sources.filter(([field]) => optionalRecordAt(spec, field) !== undefined);
  if (present.length === 0) return [required(path, 'must specify a volume type')];
  return present.flatMap(([field, check], index) => [
    ...(index > 0
      ? [forbiddenField(`${path}.${field}`, 'may not specify more than 1 volume type')]
      : check(recordAt(spec, field), `${path}.${field}`)),
    ...(field === 'local' && !('nodeAffinity' in spec) ? [required(`${path}.nodeAffinity`, 'Local volume requires node affinity')] : none),
  ]);
}

function local(source: JsonObject, path: string): Errors {
  const target = textAt(source, 'path');
  return target === '' ? [required(`${path}.path`, '')] : noBacksteps(target, `${path}.path`);
}

const maxDriver = 63;

/** Names of storage drivers look like domains. Cf. upstream ValidateCSIDriverName. */
export function driverName(name: string, path: string): Errors {
  return [
    ...(name === '' ? [required(path, '')] : none),
    ...(name.length > maxDriver
      ? [{ reason: 'FieldValueTooLong' as const, field: path, message: `Too long: may not be more than ${maxDriver} bytes` }]
      : none),
    ...named(isDns1123Subdomain, name.toLowerCase(), path),
  ];
}

function csi(source: JsonObject, path: string): Errors {
  return [...driverName(textAt(source, 'driver'), `${path}.driver`), ...requiredText(source, 'volumeHandle', path)];
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

function volumeUpdate(spec: JsonObject, old: JsonObject): Errors {
  const changed = isSame(sourceOf(spec), sourceOf(old))
    ? none
    : [forbiddenField('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation\n')];
  const [affinity, before] = [optionalRecordAt(spec, 'nodeAffinity'), optionalRecordAt(old, 'nodeAffinity')];
  return [
    ...changed,
    // Upstream tells it without its parent.
    ...immutable(spec['volumeMode'], old['volumeMode'], 'volumeMode'),
    ...(before ? immutable(affinity, before, 'nodeAffinity') : none),
  ];
}

const onlyThese = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';

/** A claim stays as it is, but a bound one may grow. Cf. upstream ValidatePersistentVolumeClaimUpdate. */
function claimUpdate(next: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  const bound = textAt(recordAt(old, 'status'), 'phase') === 'Bound' || textAt(recordAt(next, 'status'), 'phase') === 'Bound';
  const taken: JsonObject = {
    ...spec,
    ...(textAt(before, 'volumeName') === '' ? { volumeName: null } : {}),
    ...(bound ? { resources: null, volumeAttributesClassName: null } : {}),
    ...(before['storageClassName'] === undefined ? { storageClassName: null } : {}),
  };
  const compared: JsonObject = {
    ...before,
    ...(textAt(before, 'volumeName') === '' ? { volumeName: null } : {}),
    ...(bound ? { resources: null, volumeAttributesClassName: null } : {}),
  };
  return [
    ...(isSame(taken, compared) ? none : [forbiddenField('spec', onlyThese)]),
    ...(bound ? shrinks(spec, before, next) : none),
    ...immutable(spec['volumeMode'], before['volumeMode'], 'volumeMode'),
  ];
}

function shrinks(spec: JsonObject, before: JsonObject, claim: JsonObject): Errors {
  const amount = (of: JsonObject): string => textAt(recordAt(recordAt(of, 'resources'), 'requests'), 'storage') || '0';
  const [now, then] = [parseQuantity(amount(spec)), parseQuantity(amount(before))];
  const capacityNow = textAt(recordAt(recordAt(claim, 'status'), 'capacity'), 'storage');
  return compareQuantities(now, then) < 0 && capacityNow !== ''
    ? [forbiddenField('spec.resources.requests.storage', 'field can not be less than previous value')]
    : none;
}

function claimStatus(claim: JsonObject): Errors {
  return Object.entries(recordAt(recordAt(claim, 'status'), 'capacity')).flatMap(([name, amount]) =>
    signOfQuantity(parseQuantity(String(amount))) < 0
      ? [invalid(`status.capacity[${name}]`, amount, 'must be greater than or equal to 0')]
      : none,
  );
}
