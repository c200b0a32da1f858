import {
  byteLength,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  isQualifiedName,
  type JsonObject,
  parseQuantity,
  required,
  sameJson,
  signOfQuantity,
  tooLong,
} from '../../../meta/index.ts';
import { int64At, isSame, numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../accessors.ts';
import {
  dnsSubdomain,
  type Errors,
  immutable,
  immutableFields,
  immutableStruct,
  inRange,
  labelSelector,
  nameErrors,
  none,
  nonNegative,
  oneOf,
  qualifiedName,
  requiredText,
} from '../checks.ts';
import { driverName } from '../core/volume-sources.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { fullMetadataErrors, metadataUpdate, validateAllFirstOnUpdate } from '../update-validators.ts';
import { volumeSource } from './volumes.ts';

const maxParameters = 512;
const maxParametersBytes = 256 * 1024;

/** StorageClass, VolumeAttachment, CSIDriver, … Cf. upstream pkg/apis/storage/validation. */
export function storageValidators(context: ValidationContext): KindValidators {
  const attachmentNow = (object: JsonObject): Errors => [
    ...fullMetadataErrors({ type: 'storage.VolumeAttachment', namespaced: false }, object),
    ...attachmentSpec(object, context),
    ...attachmentStatus(recordAt(object, 'status')),
  ];
  // Upstream validates it twice, for either part.
  const attachmentUpdate = (next: JsonObject, old: JsonObject): Errors => [
    ...attachmentNow(next),
    ...attachmentNow(next),
    ...immutableStruct(context, 'storage/v1.VolumeAttachmentSpec')(next['spec'], old['spec'], 'spec'),
  ];
  return {
    'storage.StorageClass': validateAllFirstOnUpdate({ type: 'storage.StorageClass', namespaced: false }, storageClass, (next, old) => [
      ...immutableField(next, old, 'parameters'),
      ...immutableField(next, old, 'provisioner'),
      ...immutableField(next, old, 'reclaimPolicy'),
      ...immutable(next['volumeBindingMode'], old['volumeBindingMode'], 'volumeBindingMode'),
    ]),
    'storage.VolumeAttachment': {
      create: (object) => attachment(object, context),
      update: attachmentUpdate,
      updateStatus: attachmentUpdate,
    },
    'storage.CSIDriver': {
      create: csiDriver,
      update: (next, old) => [
        ...metadataUpdate(next, old),
        ...csiDriver(next),
        ...driverUpdate(recordAt(next, 'spec'), recordAt(old, 'spec')),
      ],
    },
    'storage.CSINode': {
      create: csiNode,
      update: (next, old) => [
        ...fullMetadataErrors(node, next),
        ...csiNode(next),
        ...fullMetadataErrors(node, next),
        ...csiNode(next),
        ...driversUpdate(next, old, context),
      ],
    },
    'storage.CSIStorageCapacity': validateAllFirstOnUpdate(
      { type: 'storage.CSIStorageCapacity', namespaced: true },
      storageCapacity,
      (next, old) => immutableFields(next, old, ['nodeTopology', 'storageClassName']),
    ),
    'storage.VolumeAttributesClass': validateAllFirstOnUpdate(
      { type: 'storage.VolumeAttributesClass', namespaced: false },
      attributesClass,
      (next, old) => [
        ...immutableField(next, old, 'driverName'),
        ...immutableField(next, old, 'parameters'),
        ...fullMetadataErrors({ type: 'storage.VolumeAttributesClass', namespaced: false }, next),
        ...attributesClass(next),
      ],
    ),
  };
}

const node = { type: 'storage.CSINode', namespaced: false };

/** Limit for the metadata of an attachment, in bytes. */
const maxAttachmentBytes = 256 * 1024;
const maxErrorBytes = 1024;

/** The limit in the error for a long message differs from the actual one. */
function attachmentStatus(status: JsonObject): Errors {
  const metadata = Object.entries(recordAt(status, 'attachmentMetadata'));
  const size = metadata.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(String(value)), 0);
  return [
    ...(size > maxAttachmentBytes ? [tooLong('status.attachmentMetadata', maxAttachmentBytes)] : none),
    ...['attachError', 'detachError'].flatMap((field) => {
      const [error, path] = [recordAt(status, field), `status.${field}`];
      const code = numberAt(error, 'errorCode');
      return [
        ...(byteLength(textAt(error, 'message')) > maxErrorBytes ? [tooLong(`${path}.message`, maxAttachmentBytes)] : none),
        ...(code === undefined ? none : inRange(code, 0, 2 ** 31 - 1, `${path}.errorCode`)),
      ];
    }),
  ];
}

function driversUpdate(next: JsonObject, old: JsonObject, context: ValidationContext): Errors {
  const unchanged = immutableStruct(context, 'storage/v1.CSINodeDriver');
  const drivers = (object: JsonObject): readonly JsonObject[] => objectsAt(recordAt(object, 'spec'), 'drivers');
  const { gates } = context;
  const compared = (driver: JsonObject): JsonObject =>
    gates.enabled('MutableCSINodeAllocatableCount') ? { ...driver, allocatable: null } : driver;
  return drivers(old).flatMap((before) =>
    drivers(next)
      .filter((driver) => textAt(driver, 'name') === textAt(before, 'name'))
      .flatMap((driver) => unchanged(compared(driver), compared(before), 'spec.drivers')),
  );
}

function storageCapacity(object: JsonObject): Errors {
  const capacity = optionalTextAt(object, 'capacity');
  const isNegative = capacity !== undefined && signOfQuantity(parseQuantity(capacity)) < 0;
  return [
    ...labelSelector(optionalRecordAt(object, 'nodeTopology'), 'nodeTopology'),
    ...dnsSubdomain(textAt(object, 'storageClassName'), 'storageClassName'),
    ...(isNegative ? [invalid('capacity', capacity, 'must be greater than or equal to 0')] : none),
  ];
}

function immutableField(next: JsonObject, old: JsonObject, field: string): Errors {
  // An empty map in place of an absent one counts as a change, too.
  return sameJson(next[field], old[field]) ? none : [forbiddenField(field, `updates to ${field} are forbidden.`)];
}

function storageClass(object: JsonObject): Errors {
  return [
    ...provisioner(textAt(object, 'provisioner')),
    ...parameters(recordAt(object, 'parameters'), false),
    ...oneOf(textAt(object, 'reclaimPolicy') || undefined, ['Delete', 'Retain'], 'reclaimPolicy'),
    ...oneOf(optionalTextAt(object, 'volumeBindingMode'), ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode'),
    ...topologies(object),
  ];
}

function provisioner(name: string): Errors {
  return name === '' ? [required('provisioner', '')] : nameErrors(isQualifiedName, name.toLowerCase(), 'provisioner');
}

function parameters(given: JsonObject, needed: boolean): Errors {
  const entries = Object.entries(given);
  const errors: FieldError[] = [];
  if (entries.length > maxParameters) return [tooLong('parameters', maxParameters)];
  for (const [key] of entries) if (key === '') errors.push(invalid('parameters', key, 'field can not be empty.'));
  const bytes = entries.reduce((total, [key, value]) => total + byteLength(key) + byteLength(String(value)), 0);
  if (bytes > maxParametersBytes) errors.push(tooLong('parameters', maxParametersBytes));
  if (entries.length === 0 && needed) errors.push(required('parameters', 'must contain at least one key/value pair'));
  return errors;
}

function topologies(object: JsonObject): Errors {
  const terms = objectsAt(object, 'allowedTopologies');
  return terms.flatMap((term, index) => [
    ...topologyTerm(term, index),
    ...equalTerms(terms, index).map(() => duplicate(`allowedTopologies[${index}].matchLabelExpressions`, '')),
  ]);
}

/** Indexes of equal terms; upstream treats an empty term as equal to every unfilled place of the list. */
function equalTerms(terms: readonly JsonObject[], index: number): readonly JsonObject[] {
  const shape = (term: JsonObject): JsonObject =>
    Object.fromEntries(
      objectsAt(term, 'matchLabelExpressions').map((one) => [textAt(one, 'key'), [...new Set(textsAt(one, 'values'))].sort()]),
    );
  const own = shape(terms[index] ?? {});
  const before = terms.slice(0, index).filter((other) => isSame(shape(other), own));
  return Object.keys(own).length === 0 ? [...terms, ...before] : before;
}

function topologyTerm(term: JsonObject, index: number): Errors {
  const seen = new Set<string>();
  return objectsAt(term, 'matchLabelExpressions').flatMap((one, number) => {
    const path = `allowedTopologies[${index}].matchLabelExpressions[${number}]`;
    const [key, values] = [textAt(one, 'key'), textsAt(one, 'values')];
    const again = seen.has(key) ? [duplicate(`${path}.key`, key)] : none;
    seen.add(key);
    return [
      ...(values.length === 0 ? [required(`${path}.values`, '')] : none),
      ...values.flatMap((value, at) => (values.indexOf(value) < at ? [duplicate(`${path}.values[${at}]`, value)] : none)),
      ...nameErrors(isQualifiedName, key, `${path}.key`),
      ...again,
    ];
  });
}

/** Validated twice on create: with the rules of older versions, and with those of v1. */
function attachment(object: JsonObject, context: ValidationContext): Errors {
  const spec = recordAt(object, 'spec');
  const volume = optionalTextAt(recordAt(spec, 'source'), 'persistentVolumeName');
  return [
    ...attachmentSpec(object, context),
    ...driverName(textAt(spec, 'attacher'), 'spec.attacher'),
    ...(volume === undefined ? none : dnsSubdomain(volume, 'spec.source.persistentVolumeName')),
  ];
}

function attachmentSpec(object: JsonObject, context: ValidationContext): Errors {
  const spec = recordAt(object, 'spec');
  return [
    ...requiredText(spec, 'attacher', 'spec'),
    ...attachmentSource(recordAt(spec, 'source'), textAt(recordAt(object, 'metadata'), 'name'), context),
    ...dnsSubdomain(textAt(spec, 'nodeName'), 'spec.nodeName'),
  ];
}

const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

function attachmentSource(source: JsonObject, owner: string, context: ValidationContext): Errors {
  const [name, inline] = [optionalTextAt(source, 'persistentVolumeName'), optionalRecordAt(source, 'inlineVolumeSpec')];
  const path = 'spec.source';
  if (name === undefined && !inline) return [required(path, exactlyOne)];
  if (name !== undefined && inline) return [forbiddenField(path, exactlyOne)];
  if (name !== undefined)
    return name === '' ? [required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')] : none;
  if (!inline) return none;
  const at = `${path}.inlineVolumeSpec`;
  return [
    ...('csi' in inline ? none : [required(`${at}.csi`, 'has to be specified in the context of inline volumes')]),
    ...volumeSource(inline, owner, context, at),
  ];
}

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;
const minUpdateSeconds = 10;

function csiDriver(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const modes = textsAt(spec, 'volumeLifecycleModes');
  const period = int64At(spec, 'nodeAllocatableUpdatePeriodSeconds');
  return [
    ...['attachRequired', 'podInfoOnMount', 'storageCapacity'].flatMap((field) =>
      spec[field] === undefined ? [required(`spec.${field}`, '')] : none,
    ),
    ...oneOf(optionalTextAt(spec, 'fsGroupPolicy'), ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy'),
    ...tokenRequests(spec),
    ...modes.flatMap((mode) => oneOf(mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes')),
    ...(spec['seLinuxMount'] === undefined ? [required('spec.seLinuxMount', '')] : none),
    ...(period !== undefined && period < minUpdateSeconds
      ? [invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, `must be greater than or equal to ${minUpdateSeconds} seconds`)]
      : none),
  ];
}

function tokenRequests(spec: JsonObject): Errors {
  const seen = new Set<string>();
  return objectsAt(spec, 'tokenRequests').flatMap((request, index) => {
    const path = `spec.tokenRequests[${index}]`;
    const [audience, seconds] = [textAt(request, 'audience'), int64At(request, 'expirationSeconds')];
    if (seen.has(audience)) return [duplicate(`${path}.audience`, audience)];
    seen.add(audience);
    if (seconds === undefined) return none;
    const at = `${path}.expirationSeconds`;
    return [
      ...(seconds < minTokenSeconds ? [invalid(at, seconds, 'may not specify a duration less than 10 minutes')] : none),
      ...(seconds > maxTokenSeconds ? [invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds')] : none),
    ];
  });
}

function driverUpdate(spec: JsonObject, old: JsonObject): Errors {
  return [
    // Upstream's field name has a typo.
    ...immutable(spec['attachRequired'], old['attachRequired'], 'spec.attachedRequired'),
    ...immutable(spec['volumeLifecycleModes'], old['volumeLifecycleModes'], 'spec.volumeLifecycleModes'),
  ];
}

function csiNode(object: JsonObject): Errors {
  const seen = new Set<string>();
  return objectsAt(recordAt(object, 'spec'), 'drivers').flatMap((driver, index) => {
    const path = `spec.drivers[${index}]`;
    const name = textAt(driver, 'name');
    const again = seen.has(name) ? [duplicate(`${path}.name`, name)] : none;
    seen.add(name);
    return [
      ...driverName(name, `${path}.name`),
      ...nodeId(textAt(driver, 'nodeID'), `${path}.nodeID`),
      ...allocatable(driver, `${path}.allocatable.count`),
      ...again,
      ...topologyKeys(driver, path),
    ];
  });
}

const maxNodeId = 256;

function nodeId(id: string, path: string): Errors {
  if (id === '') return [required(path, '')];
  return id.length > maxNodeId ? [invalid(path, id, `must be ${maxNodeId} characters or less`)] : none;
}

function allocatable(driver: JsonObject, path: string): Errors {
  const count = numberAt(recordAt(driver, 'allocatable'), 'count');
  return nonNegative(count, path);
}

/** Reported for the whole driver. */
function topologyKeys(driver: JsonObject, path: string): Errors {
  const seen = new Set<string>();
  return textsAt(driver, 'topologyKeys').flatMap((key) => {
    const again = seen.has(key) ? [duplicate(path, key)] : none;
    seen.add(key);
    return [...(key === '' ? [required(path, '')] : none), ...again, ...qualifiedName(key, path)];
  });
}

function attributesClass(object: JsonObject): Errors {
  const driver = textAt(object, 'driverName');
  return [
    ...(driver === '' ? [required('driverName', '')] : nameErrors(isQualifiedName, driver.toLowerCase(), 'driverName')),
    ...parameters(recordAt(object, 'parameters'), true),
  ];
}
