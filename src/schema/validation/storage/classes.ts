import {
  byteLength,
  collectErrors,
  duplicate,
  type FieldError,
  forbiddenField,
  groupBy,
  invalid,
  isQualifiedName,
  type JsonObject,
  parseQuantity,
  repeatedIndexes,
  required,
  sameJson,
  signOfQuantity,
  tooLong,
} from '../../../meta/index.ts';
import type { corev1, storagev1 } from '../../api/index.ts';
import { int64At } from '../accessors.ts';
import {
  createStructImmutability,
  type Errors,
  none,
  validateDnsSubdomain,
  validateImmutable,
  validateImmutableFields,
  validateLabelSelector,
  validateNameWith,
  validateNonNegative,
  validateOneOf,
  validateQualifiedName,
  validateRange,
  validateRequiredText,
} from '../checks.ts';
import { validateDriverName } from '../core/volumes/volume-sources.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateAllFirstOnUpdate, validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';
import { validateVolumeSource } from './volumes.ts';

const maxParameters = 512;
const maxParametersBytes = 256 * 1024;

/** StorageClass, VolumeAttachment, CSIDriver, … Cf. upstream pkg/apis/storage/validation. */
export function storageValidators(context: ValidationContext): KindValidators {
  const attachmentNow = (object: Decoded<storagev1.VolumeAttachment>): Errors => [
    ...validateFullMetadata({ type: 'storage.VolumeAttachment', namespaced: false }, object),
    ...validateAttachmentSpec(object, context),
    ...validateAttachmentStatus(object.status ?? {}),
  ];
  // Upstream validates it twice, for either part.
  const attachmentUpdate = (next: Decoded<storagev1.VolumeAttachment>, old: Decoded<storagev1.VolumeAttachment>): Errors => [
    ...attachmentNow(next),
    ...attachmentNow(next),
    ...createStructImmutability(context, 'storage/v1.VolumeAttachmentSpec')(next.spec, old.spec, 'spec'),
  ];
  return {
    'storage.StorageClass': validateAllFirstOnUpdate(
      { type: 'storage.StorageClass', namespaced: false },
      validateStorageClass,
      (next, old) => [
        ...validateImmutableField(next, old, 'parameters'),
        ...validateImmutableField(next, old, 'provisioner'),
        ...validateImmutableField(next, old, 'reclaimPolicy'),
        ...validateImmutable(next.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode'),
      ],
    ),
    'storage.VolumeAttachment': {
      create: (object) => validateAttachment(object, context),
      update: attachmentUpdate,
      updateStatus: attachmentUpdate,
    },
    'storage.CSIDriver': {
      create: validateCsiDriver,
      update: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateCsiDriver(next),
        ...validateDriverUpdate(next.spec ?? {}, old.spec ?? {}),
      ],
    },
    'storage.CSINode': {
      create: validateCsiNode,
      update: (next, old) => [
        ...validateFullMetadata(node, next),
        ...validateCsiNode(next),
        ...validateFullMetadata(node, next),
        ...validateCsiNode(next),
        ...validateDriversUpdate(next, old, context),
      ],
    },
    'storage.CSIStorageCapacity': validateAllFirstOnUpdate(
      { type: 'storage.CSIStorageCapacity', namespaced: true },
      validateStorageCapacity,
      (next, old) => validateImmutableFields(next, old, ['nodeTopology', 'storageClassName']),
    ),
    'storage.VolumeAttributesClass': validateAllFirstOnUpdate(
      { type: 'storage.VolumeAttributesClass', namespaced: false },
      validateAttributesClass,
      (next, old) => [
        ...validateImmutableField(next, old, 'driverName'),
        ...validateImmutableField(next, old, 'parameters'),
        ...validateFullMetadata({ type: 'storage.VolumeAttributesClass', namespaced: false }, next),
        ...validateAttributesClass(next),
      ],
    ),
  };
}

const node = { type: 'storage.CSINode', namespaced: false };

/** Limit for the metadata of an attachment, in bytes. */
const maxAttachmentBytes = 256 * 1024;
const maxErrorBytes = 1024;

/** The limit in the error for a long message differs from the actual one. */
function validateAttachmentStatus(status: Decoded<storagev1.VolumeAttachmentStatus>): Errors {
  const metadata = Object.entries(status.attachmentMetadata ?? {});
  const size = metadata.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(String(value)), 0);
  return [
    ...(size > maxAttachmentBytes ? [tooLong('status.attachmentMetadata', maxAttachmentBytes)] : none),
    ...(['attachError', 'detachError'] as const).flatMap((field) => {
      const [error, path] = [status[field] ?? {}, `status.${field}`];
      const code = error.errorCode;
      return [
        ...(byteLength(error.message ?? '') > maxErrorBytes ? [tooLong(`${path}.message`, maxAttachmentBytes)] : none),
        ...(code === undefined ? none : validateRange(code, 0, 2 ** 31 - 1, `${path}.errorCode`)),
      ];
    }),
  ];
}

function validateDriversUpdate(next: Decoded<storagev1.CSINode>, old: Decoded<storagev1.CSINode>, context: ValidationContext): Errors {
  const unchanged = createStructImmutability(context, 'storage/v1.CSINodeDriver');
  const { gates } = context;
  const compared = (driver: JsonObject): JsonObject =>
    gates.enabled('MutableCSINodeAllocatableCount') ? { ...driver, allocatable: null } : driver;
  const byName = groupBy(next.spec?.drivers ?? [], ({ name = '' }) => name);
  return collectErrors(old.spec?.drivers ?? [], (before) =>
    (byName.get(before.name ?? '') ?? []).flatMap((driver) => unchanged(compared(driver), compared(before), 'spec.drivers')),
  );
}

function validateStorageCapacity(object: Decoded<storagev1.CSIStorageCapacity>): Errors {
  const capacity = object.capacity;
  const isNegative = capacity !== undefined && signOfQuantity(parseQuantity(capacity)) < 0;
  return [
    ...validateLabelSelector(object.nodeTopology, 'nodeTopology'),
    ...validateDnsSubdomain(object.storageClassName ?? '', 'storageClassName'),
    ...(isNegative ? [invalid('capacity', capacity, 'must be greater than or equal to 0')] : none),
  ];
}

function validateImmutableField(next: JsonObject, old: JsonObject, field: string): Errors {
  // An empty map in place of an absent one counts as a change, too.
  return sameJson(next[field], old[field]) ? none : [forbiddenField(field, `updates to ${field} are forbidden.`)];
}

function validateStorageClass(object: Decoded<storagev1.StorageClass>): Errors {
  return [
    ...validateProvisioner(object.provisioner ?? ''),
    ...validateParameters(object.parameters ?? {}, false),
    ...validateOneOf((object.reclaimPolicy ?? '') || undefined, ['Delete', 'Retain'], 'reclaimPolicy'),
    ...validateOneOf(object.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode'),
    ...validateTopologies(object),
  ];
}

function validateProvisioner(name: string): Errors {
  return name === '' ? [required('provisioner', '')] : validateNameWith(isQualifiedName, name.toLowerCase(), 'provisioner');
}

function validateParameters(given: JsonObject, needed: boolean): Errors {
  const keys = Object.keys(given);
  const errors: FieldError[] = [];
  if (keys.length > maxParameters) return [tooLong('parameters', maxParameters)];
  if (given[''] !== undefined) errors.push(invalid('parameters', '', 'field can not be empty.'));
  const bytes = keys.reduce((total, key) => total + byteLength(key) + byteLength(String(given[key])), 0);
  if (bytes > maxParametersBytes) errors.push(tooLong('parameters', maxParametersBytes));
  if (keys.length === 0 && needed) errors.push(required('parameters', 'must contain at least one key/value pair'));
  return errors;
}

function validateTopologies(object: Decoded<storagev1.StorageClass>): Errors {
  const terms = object.allowedTopologies ?? [];
  const seen = new Map<string, number>();
  return collectErrors(terms, (term, index) => {
    const key = topologyKey(term);
    const equal = seen.get(key) ?? 0;
    seen.set(key, equal + 1);
    // Upstream treats an empty term as equal to every unfilled place of the list.
    const isEmpty = (term.matchLabelExpressions ?? []).length === 0;
    const again = duplicate(`allowedTopologies[${index}].matchLabelExpressions`, '');
    return [...validateTopologyTerm(term, index), ...Array<FieldError>(isEmpty ? terms.length + equal : equal).fill(again)];
  });
}

/** Equal for terms that select the same topologies. */
function topologyKey(term: Decoded<corev1.TopologySelectorTerm>): string {
  const valuesByKey = new Map((term.matchLabelExpressions ?? []).map((one) => [one.key ?? '', [...new Set(one.values ?? [])].sort()]));
  return JSON.stringify([...valuesByKey].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function validateTopologyTerm(term: Decoded<corev1.TopologySelectorTerm>, index: number): Errors {
  const seen = new Set<string>();
  return collectErrors(term.matchLabelExpressions ?? [], (one, number) => {
    const path = `allowedTopologies[${index}].matchLabelExpressions[${number}]`;
    const [key, values] = [one.key ?? '', one.values ?? []];
    const again = seen.has(key) ? [duplicate(`${path}.key`, key)] : none;
    const repeated = repeatedIndexes(values);
    seen.add(key);
    return [
      ...(values.length === 0 ? [required(`${path}.values`, '')] : none),
      ...collectErrors(values, (value, at) => (repeated.has(at) ? [duplicate(`${path}.values[${at}]`, value)] : none)),
      ...validateNameWith(isQualifiedName, key, `${path}.key`),
      ...again,
    ];
  });
}

/** Validated twice on create: with the rules of older versions, and with those of v1. */
function validateAttachment(object: Decoded<storagev1.VolumeAttachment>, context: ValidationContext): Errors {
  const spec = object.spec ?? {};
  const volume = spec.source?.persistentVolumeName;
  return [
    ...validateAttachmentSpec(object, context),
    ...validateDriverName(spec.attacher ?? '', 'spec.attacher'),
    ...(volume === undefined ? none : validateDnsSubdomain(volume, 'spec.source.persistentVolumeName')),
  ];
}

function validateAttachmentSpec(object: Decoded<storagev1.VolumeAttachment>, context: ValidationContext): Errors {
  const spec = object.spec ?? {};
  return [
    ...validateRequiredText(spec, 'attacher', 'spec'),
    ...validateAttachmentSource(spec.source ?? {}, object.metadata?.name ?? '', context),
    ...validateDnsSubdomain(spec.nodeName ?? '', 'spec.nodeName'),
  ];
}

const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

function validateAttachmentSource(source: Decoded<storagev1.VolumeAttachmentSource>, owner: string, context: ValidationContext): Errors {
  const [name, inline] = [source.persistentVolumeName, source.inlineVolumeSpec];
  const path = 'spec.source';
  if (name === undefined && !inline) return [required(path, exactlyOne)];
  if (name !== undefined && inline) return [forbiddenField(path, exactlyOne)];
  if (name !== undefined)
    return name === '' ? [required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')] : none;
  if (!inline) return none;
  const at = `${path}.inlineVolumeSpec`;
  return [
    ...('csi' in inline ? none : [required(`${at}.csi`, 'has to be specified in the context of inline volumes')]),
    ...validateVolumeSource(inline, owner, context, at),
  ];
}

const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;
const minUpdateSeconds = 10;

function validateCsiDriver(object: Decoded<storagev1.CSIDriver>): Errors {
  const spec = object.spec ?? {};
  const modes = spec.volumeLifecycleModes ?? [];
  const period = int64At(spec, 'nodeAllocatableUpdatePeriodSeconds');
  return [
    ...(['attachRequired', 'podInfoOnMount', 'storageCapacity'] as const).flatMap((field) =>
      spec[field] === undefined ? [required(`spec.${field}`, '')] : none,
    ),
    ...validateOneOf(spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy'),
    ...validateTokenRequests(spec),
    ...collectErrors(modes, (mode) => validateOneOf(mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes')),
    ...(spec.seLinuxMount === undefined ? [required('spec.seLinuxMount', '')] : none),
    ...(period !== undefined && period < minUpdateSeconds
      ? [invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, `must be greater than or equal to ${minUpdateSeconds} seconds`)]
      : none),
  ];
}

function validateTokenRequests(spec: Decoded<storagev1.CSIDriverSpec>): Errors {
  const seen = new Set<string>();
  return collectErrors(spec.tokenRequests ?? [], (request, index) => {
    const path = `spec.tokenRequests[${index}]`;
    const [audience, seconds] = [request.audience ?? '', int64At(request, 'expirationSeconds')];
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

function validateDriverUpdate(spec: Decoded<storagev1.CSIDriverSpec>, old: Decoded<storagev1.CSIDriverSpec>): Errors {
  return [
    // Upstream's field name has a typo.
    ...validateImmutable(spec.attachRequired, old.attachRequired, 'spec.attachedRequired'),
    ...validateImmutable(spec.volumeLifecycleModes, old.volumeLifecycleModes, 'spec.volumeLifecycleModes'),
  ];
}

function validateCsiNode(object: Decoded<storagev1.CSINode>): Errors {
  const seen = new Set<string>();
  return collectErrors(object.spec?.drivers ?? [], (driver, index) => {
    const path = `spec.drivers[${index}]`;
    const name = driver.name ?? '';
    const again = seen.has(name) ? [duplicate(`${path}.name`, name)] : none;
    seen.add(name);
    return [
      ...validateDriverName(name, `${path}.name`),
      ...validateNodeId(driver.nodeID ?? '', `${path}.nodeID`),
      ...validateAllocatable(driver, `${path}.allocatable.count`),
      ...again,
      ...validateTopologyKeys(driver, path),
    ];
  });
}

const maxNodeId = 256;

function validateNodeId(id: string, path: string): Errors {
  if (id === '') return [required(path, '')];
  return id.length > maxNodeId ? [invalid(path, id, `must be ${maxNodeId} characters or less`)] : none;
}

function validateAllocatable(driver: Decoded<storagev1.CSINodeDriver>, path: string): Errors {
  return validateNonNegative(driver.allocatable?.count, path);
}

/** Reported for the whole driver. */
function validateTopologyKeys(driver: Decoded<storagev1.CSINodeDriver>, path: string): Errors {
  const seen = new Set<string>();
  return collectErrors(driver.topologyKeys ?? [], (key) => {
    const again = seen.has(key) ? [duplicate(path, key)] : none;
    seen.add(key);
    return [...(key === '' ? [required(path, '')] : none), ...again, ...validateQualifiedName(key, path)];
  });
}

function validateAttributesClass(object: Decoded<storagev1.VolumeAttributesClass>): Errors {
  const driver = object.driverName ?? '';
  return [
    ...(driver === '' ? [required('driverName', '')] : validateNameWith(isQualifiedName, driver.toLowerCase(), 'driverName')),
    ...validateParameters(object.parameters ?? {}, true),
  ];
}
