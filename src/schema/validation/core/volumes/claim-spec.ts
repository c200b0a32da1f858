import {
  collectErrors,
  forbiddenField,
  invalid,
  isDns1123Label,
  type JsonObject,
  parseQuantity,
  required,
  signOfQuantity,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { isSemanticallyEqual } from '../../accessors.ts';
import {
  type Errors,
  none,
  validateDnsSubdomain,
  validateLabelSelector,
  validateNameWith,
  validateOneOf,
  validateRequiredText,
} from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';

export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] as const;
export const volumeModes = ['Block', 'Filesystem'] as const;

/** Validates the spec of a claim. Cf. upstream ValidatePersistentVolumeClaimSpec. */
export function validateClaimSpec(spec: Decoded<corev1.PersistentVolumeClaimSpec>, path: string): Errors {
  const modes = spec.accessModes ?? [];
  const className = spec.storageClassName ?? '';
  const attributesClass = spec.volumeAttributesClassName ?? '';
  return [
    ...(modes.length === 0 ? [required(`${path}.accessModes`, 'at least 1 access mode is required')] : none),
    ...validateLabelSelector(spec.selector, `${path}.selector`),
    ...collectErrors(modes, (mode) => validateOneOf(mode, accessModes, `${path}.accessModes`)),
    ...validateSingleNodeAccess(modes, path),
    ...validateStorageAmount(spec.resources?.requests ?? {}, path),
    ...(className === '' ? none : validateDnsSubdomain(className, `${path}.storageClassName`)),
    ...validateOneOf(spec.volumeMode, volumeModes, `${path}.volumeMode`),
    ...validateDataSources(spec, path),
    ...(attributesClass === '' ? none : validateDnsSubdomain(attributesClass, `${path}.volumeAttributesClassName`)),
  ];
}

export function validateSingleNodeAccess(modes: readonly string[], path: string): Errors {
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.some((known) => known === mode));
  if (!modes.includes('ReadWriteOncePod') || !others) return none;
  return [forbiddenField(`${path}.accessModes`, 'may not use ReadWriteOncePod with other access modes')];
}

function validateStorageAmount(requests: JsonObject, path: string): Errors {
  const storage = requests['storage'];
  if (typeof storage !== 'string') return [required(`${path}.resources[storage]`, '')];
  if (signOfQuantity(parseQuantity(storage)) > 0) return none;
  return [invalid(`${path}.resources[storage]`, storage, 'must be greater than zero')];
}

function validateDataSources(spec: Decoded<corev1.PersistentVolumeClaimSpec>, path: string): Errors {
  const [source, reference] = [spec.dataSource, spec.dataSourceRef];
  const elsewhere = (reference?.namespace ?? '') !== '';
  const errors = [
    ...(source ? validateDataSource(source, `${path}.dataSource`) : none),
    ...(reference ? validateDataSource(reference, `${path}.dataSourceRef`) : none),
    ...(elsewhere ? validateNameWith(isDns1123Label, reference?.namespace ?? '', `${path}.dataSourceRef.namespace`) : none),
  ];
  // Upstream passes a path as the value, which has no exported fields.
  if (elsewhere && source) errors.push(invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified'));
  else if (source && reference && !elsewhere && !isSameSource(source, reference))
    errors.push(invalid(path, {}, 'must match dataSourceRef'));
  return errors;
}

function isSameSource(a: JsonObject, b: JsonObject): boolean {
  return ['apiGroup', 'kind', 'name'].every((field) => isSemanticallyEqual(a[field] ?? '', b[field] ?? ''));
}

function validateDataSource(source: Decoded<corev1.TypedObjectReference>, path: string): Errors {
  const group = source.apiGroup ?? '';
  const kind = source.kind ?? '';
  return [
    ...validateRequiredText(source, 'name', path),
    ...validateRequiredText(source, 'kind', path),
    ...(group === '' && kind !== 'PersistentVolumeClaim'
      ? [invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : none),
    ...(group === '' ? none : validateDnsSubdomain(group, `${path}.apiGroup`)),
  ];
}
