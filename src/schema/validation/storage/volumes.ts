import {
  compareQuantities,
  forbiddenField,
  invalid,
  type JsonObject,
  parseQuantity,
  quantityInteger,
  required,
  signOfQuantity,
} from '../../../meta/index.ts';
import { dnsLabel, dnsSubdomain, type Errors, immutable, none, oneOf, requiredText, unsupported } from '../checks.ts';
import { accessModes, claimSpec, onlyOnce, volumeModes } from '../core/claim-spec.ts';
import { noBacksteps } from '../core/paths.ts';
import { nodeSelector } from '../core/scheduling.ts';
import { driverName, networkSources, oneSource, type SourceCheck } from '../core/volume-sources.ts';
import { hostPath, nfs } from '../core/volumes.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { isSame, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../reading.ts';
import { metadataUpdate, wholeMetadata } from '../revalidated.ts';

/** PersistentVolume and PersistentVolumeClaim. Cf. upstream pkg/apis/core/validation. */
export function volumeValidators(context: ValidationContext): KindValidators {
  return {
    'core.PersistentVolume': {
      create: (object) => persistentVolume(object, context),
      update: (next, old) => [
        ...wholeMetadata({ type: 'core.PersistentVolume', namespaced: false }, next),
        ...persistentVolume(next, context),
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
}

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];

function persistentVolume(object: JsonObject, context: ValidationContext): Errors {
  const spec = recordAt(object, 'spec');
  const modes = textsAt(spec, 'accessModes');
  const className = textAt(spec, 'storageClassName');
  const recycled = textAt(spec, 'persistentVolumeReclaimPolicy') === 'Recycle';
  const root = recycled && textAt(recordAt(spec, 'hostPath'), 'path').replace(/\/+$/, '') === '' && 'hostPath' in spec;
  return [
    ...(modes.length === 0 ? [required('spec.accessModes', '')] : none),
    ...modes.flatMap((mode) => oneOf(mode, accessModes, 'spec.accessModes')),
    ...onlyOnce(modes, 'spec'),
    ...capacity(spec),
    ...oneOf(textAt(spec, 'persistentVolumeReclaimPolicy'), reclaimPolicies, 'spec.persistentVolumeReclaimPolicy'),
    ...volumeAffinity(spec),
    ...volumeSource(spec, textAt(recordAt(object, 'metadata'), 'name'), context, 'spec'),
    ...(root ? [forbiddenField('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")] : none),
    ...(className === '' ? none : dnsSubdomain(className, 'spec.storageClassName')),
    ...oneOf(optionalTextAt(spec, 'volumeMode'), volumeModes, 'spec.volumeMode'),
    ...attributesClass(spec),
  ];
}

/** Only drivers know what attributes mean. */
function attributesClass(spec: JsonObject): Errors {
  const name = optionalTextAt(spec, 'volumeAttributesClassName');
  const at = 'spec.volumeAttributesClassName';
  if (name === undefined) return none;
  return [
    ...(name === '' ? [required(at, 'an empty string is disallowed')] : dnsSubdomain(name, at)),
    ...('csi' in spec ? none : [required('spec.csi', 'has to be specified when using volumeAttributesClassName')]),
  ];
}

function capacity(spec: JsonObject): Errors {
  const given = recordAt(spec, 'capacity');
  const names = Object.keys(given);
  const errors = names.length === 0 ? [required('spec.capacity', '')] : [];
  if (names.length !== 1 || names[0] !== 'storage') errors.push(unsupported('spec.capacity', spec['capacity'] ?? null, ['storage']));
  return [...errors, ...Object.entries(given).flatMap(([name, amount]) => capacityOf(String(amount), `spec.capacity[${name}]`))];
}

function capacityOf(amount: string, path: string): Errors {
  const quantity = parseQuantity(amount);
  const whole = quantityInteger(quantity);
  return [
    ...(whole < 0n ? [invalid(path, Number(whole), 'must be a valid resource quantity')] : none),
    ...(signOfQuantity(quantity) > 0 ? none : [invalid(path, amount, 'must be greater than zero')]),
  ];
}

/** A local volume is where it is. */
function volumeAffinity(spec: JsonObject): Errors {
  const affinity = optionalRecordAt(spec, 'nodeAffinity');
  const needed = optionalRecordAt(affinity, 'required');
  if (affinity && !needed) return [required('spec.nodeAffinity.required', 'must specify required node constraints')];
  return needed ? nodeSelector(needed, 'spec.nodeAffinity.required') : none;
}

const ownSources: Readonly<Record<string, SourceCheck>> = { hostPath, nfs, local, csi };
const order = [
  ...['hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'flocker', 'nfs', 'rbd', 'quobyte', 'cephfs', 'iscsi'],
  ...['cinder', 'fc', 'flexVolume', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk', 'scaleIO'],
  ...['local', 'storageos', 'csi'],
];

/** The source of a volume, also of one given inline to an attachment. */
export function volumeSource(spec: JsonObject, name: string, { rename }: ValidationContext, path: string): Errors {
  const homeless = 'local' in spec && !('nodeAffinity' in spec);
  const errors = oneSource(spec, order, { ...networkSources, ...ownSources }, { of: 'persistentVolume', name, rename }, path);
  return homeless && firstSource(spec) === 'local'
    ? [...errors, required(`${path}.nodeAffinity`, 'Local volume requires node affinity')]
    : errors;
}

function firstSource(spec: JsonObject): string | undefined {
  return order.find((field) => field in spec);
}

function local(source: JsonObject, path: string): Errors {
  const target = textAt(source, 'path');
  return target === '' ? [required(`${path}.path`, '')] : noBacksteps(target, `${path}.path`);
}

function csi(source: JsonObject, path: string): Errors {
  const secrets = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'];
  return [
    ...driverName(textAt(source, 'driver'), `${path}.driver`),
    ...requiredText(source, 'volumeHandle', path),
    ...secrets.flatMap((field) => {
      const secret = optionalRecordAt(source, field);
      return secret ? secretReference(secret, `${path}.${field}`) : none;
    }),
  ];
}

function secretReference(secret: JsonObject, path: string): Errors {
  const [name, namespace] = [textAt(secret, 'name'), textAt(secret, 'namespace')];
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : dnsSubdomain(name, `${path}.name`)),
    ...(namespace === '' ? [required(`${path}.namespace`, '')] : dnsLabel(namespace, `${path}.namespace`)),
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
