import {
  byteLength,
  collectErrors,
  type FieldError,
  forbiddenField,
  invalid,
  isDns1123Label,
  isLabelValue,
  isQualifiedName,
  type JsonObject,
  type ObjectNameRule,
  required,
  tooLong,
} from '../../meta/index.ts';
import type { metav1 } from '../api/index.ts';
import { int64At, isSemanticallyEqual, joinPath } from './accessors.ts';
import type { Decoded } from './decoded.ts';

/** Metadata rules of a kind (part 2.2). */
export interface MetadataRule {
  readonly names: ObjectNameRule;
  /** Finalizers without a domain must be standard ones (upstream core ValidateObjectMeta). */
  readonly knownFinalizers: boolean;
}

/** Limit for all annotations together, in bytes. */
const maxAnnotationsBytes = 256 * 1024;
const maxManagerBytes = 128;
const maxSubresourceBytes = 256;
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'svc', 'orphan', 'foregroundDeletion']);

/** Validates metadata on create. Cf. upstream ValidateObjectMeta. */
export function validateMetadata(metadata: Metadata, rule: MetadataRule, namespaced: boolean, path = 'metadata'): FieldError[] {
  const errors = validateCommonMetadata(metadata, rule.names, namespaced, path);
  return rule.knownFinalizers ? [...errors, ...validateKnownFinalizers(metadata, path)] : errors;
}

export function validateKnownFinalizers(metadata: Metadata, path = 'metadata'): FieldError[] {
  return collectErrors(metadata.finalizers ?? [], (finalizer, index) =>
    validateFinalizerIsKnown(String(finalizer), `${path}.finalizers[${index}]`),
  );
}

type Metadata = Decoded<metav1.ObjectMeta>;

function validateCommonMetadata(
  metadata: Metadata,
  names: ObjectNameRule,
  namespaced: boolean,
  path = 'metadata',
  entries: readonly FieldError[] = validateEntries(metadata, path),
): FieldError[] {
  const generation = int64At(metadata, 'generation') ?? 0;
  return [
    ...validateNames(metadata, names, path),
    ...validateNamespace(metadata.namespace ?? '', namespaced, `${path}.namespace`),
    ...(generation < 0 ? [invalid(`${path}.generation`, generation, 'must be greater than or equal to 0')] : []),
    ...entries,
    ...validateOwners(metadata, `${path}.ownerReferences`),
    ...validateFinalizers(metadata, `${path}.finalizers`),
    ...validateManagedFields(metadata, `${path}.managedFields`),
  ];
}

function validateEntries(metadata: Metadata, path: string): FieldError[] {
  return [
    ...validateLabels(metadata.labels ?? {}, `${path}.labels`),
    ...validateAnnotations(metadata.annotations ?? {}, `${path}.annotations`),
  ];
}

/** The registry's validation of metadata on update. Both upstream functions validate the entries, so an error in them occurs twice. */
export function validateUpdatedMetadata(next: Metadata, old: Metadata, names: ObjectNameRule, namespaced: boolean): FieldError[] {
  const entries = validateEntries(next, 'metadata');
  return [
    ...validateCommonMetadata(next, names, namespaced, 'metadata', entries),
    ...validateMetadataUpdate(next, old, 'metadata', entries),
  ];
}

/** Validates metadata on update. Cf. upstream ValidateObjectMetaAccessorUpdate. */
export function validateMetadataUpdate(
  next: Metadata,
  old: Metadata,
  path = 'metadata',
  entries: readonly FieldError[] = validateEntries(next, path),
): FieldError[] {
  const errors: FieldError[] = old.deletionTimestamp ? validateNoNewFinalizers(next, old, `${path}.finalizers`) : [];
  if (!next.resourceVersion) {
    errors.push(invalid(`${path}.resourceVersion`, '', 'must be specified for an update'));
  }
  const generation = int64At(next, 'generation') ?? 0;
  if (generation < (int64At(old, 'generation') ?? 0)) errors.push(invalid(`${path}.generation`, generation, 'must not be decremented'));
  for (const field of immutable) {
    if (!isSemanticallyEqual(next[field] ?? '', old[field] ?? ''))
      errors.push(invalid(`${path}.${field}`, next[field], 'field is immutable'));
  }
  return [
    ...errors,
    ...entries,
    ...validateOwners(next, `${path}.ownerReferences`),
    ...validateManagedFields(next, `${path}.managedFields`),
  ];
}

const noErrors: readonly FieldError[] = [];

const immutable = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

function validateNames(metadata: Metadata, names: ObjectNameRule, path: string): FieldError[] {
  const { name = '', generateName: prefix = '' } = metadata;
  const errors = prefix === '' ? [] : names.prefix(prefix).map((text) => invalid(`${path}.generateName`, prefix, text));
  if (name === '') return [...errors, required(`${path}.name`, 'name or generateName is required')];
  return [...errors, ...names.name(name).map((text) => invalid(`${path}.name`, name, text))];
}

function validateNamespace(namespace: string, namespaced: boolean, path: string): FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbiddenField(path, 'not allowed on this type')];
  if (namespace === '') return [required(path, '')];
  return isDns1123Label(namespace).map((text) => invalid(path, namespace, text));
}

/** Keys must be qualified names, values must be label values. */
export function validateLabels(labels: JsonObject, path: string): FieldError[] {
  return collectErrors(Object.keys(labels), (key) => {
    const value = labels[key];
    const [ofKey, ofValue] = [isQualifiedName(key), isLabelValue(String(value))];
    if (ofKey.length + ofValue.length === 0) return noErrors;
    return [...ofKey.map((text) => invalid(path, key, text)), ...ofValue.map((text) => invalid(path, value, text))];
  });
}

export function validateAnnotations(annotations: JsonObject, path: string): FieldError[] {
  const keys = Object.keys(annotations);
  // Upper case is allowed in these keys.
  const errors = collectErrors(keys, (key) => isQualifiedName(key.toLowerCase()).map((text) => invalid(path, key, text)));
  const bytes = keys.reduce((sum, key) => sum + byteLength(key) + byteLength(String(annotations[key])), 0);
  return bytes > maxAnnotationsBytes ? [...errors, tooLong(path, maxAnnotationsBytes)] : errors;
}

function validateOwners(metadata: Metadata, path: string): FieldError[] {
  let controller: string | undefined;
  return collectErrors(metadata.ownerReferences ?? [], (owner) => {
    const errors = validateOwner(owner, path);
    if (!owner.controller) return errors;
    const name = `${owner.kind ?? ''}/${owner.name ?? ''}`;
    if (controller !== undefined) {
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      errors.push(invalid(path, metadata.ownerReferences, why));
    }
    controller ??= name;
    return errors;
  });
}

function validateOwner(owner: Decoded<metav1.OwnerReference>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion = '' } = owner;
  const parts = apiVersion.split('/');
  const version = parts.length > 2 ? '' : parts.at(-1);
  if (version === '') errors.push(invalid(joinPath(path, 'apiVersion'), apiVersion, 'version must not be empty'));
  for (const field of ['kind', 'name', 'uid'] as const) {
    if (!owner[field]) errors.push(invalid(joinPath(path, field), '', 'must not be empty'));
  }
  if (apiVersion === 'v1' && owner.kind === 'Event') {
    errors.push(invalid(path, owner, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

function validateFinalizers(metadata: Metadata, path: string): FieldError[] {
  const finalizers = metadata.finalizers ?? [];
  const errors = collectErrors(finalizers, (finalizer) => isQualifiedName(finalizer).map((text) => invalid(path, finalizer, text)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/** A finalizer without a domain must be a standard one. */
export function validateFinalizerIsKnown(finalizer: string, path: string): FieldError[] {
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return [];
  return [invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];
}

function validateNoNewFinalizers(next: Metadata, old: Metadata, path: string): FieldError[] {
  const before = new Set(old.finalizers);
  const added = [...new Set(next.finalizers)].filter((finalizer) => !before.has(finalizer)).sort();
  if (added.length === 0) return [];
  const shown = `[]string{${added.map((one) => JSON.stringify(one)).join(', ')}}`;
  return [forbiddenField(path, `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`)];
}

function validateManagedFields(metadata: Metadata, path: string): FieldError[] {
  return collectErrors(metadata.managedFields ?? [], (entry, index) => validateManagedEntry(entry, `${path}[${index}]`));
}

function validateManagedEntry(entry: Decoded<metav1.ManagedFieldsEntry>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { operation = '', fieldsType: type = '', manager = '', subresource = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update')
    errors.push(invalid(joinPath(path, 'operation'), operation, 'must be `Apply` or `Update`'));
  if (type !== '' && type !== 'FieldsV1') errors.push(invalid(joinPath(path, 'fieldsType'), type, 'must be `FieldsV1`'));
  if (byteLength(manager) > maxManagerBytes) errors.push(tooLong(joinPath(path, 'manager'), maxManagerBytes));
  if (/[^\P{C}]/u.test(manager)) errors.push(invalid(joinPath(path, 'manager'), manager, 'should only contain printable characters'));
  if (byteLength(subresource) > maxSubresourceBytes) errors.push(tooLong(joinPath(path, 'subresource'), maxSubresourceBytes));
  return errors;
}
