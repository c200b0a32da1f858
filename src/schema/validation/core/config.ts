import {
  byteLength,
  collectErrors,
  forbiddenField,
  invalid,
  isConfigMapKey,
  isQualifiedName,
  type JsonObject,
  JsonSyntaxError,
  parseJson,
  required,
  sameJson,
  tooLong,
} from '../../../meta/index.ts';
import type { corev1 } from '../../api/index.ts';
import { type Errors, none, validateImmutable, validateNameWith } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateFinalizerIsKnown } from '../metadata.ts';
import { validateAllFirstOnUpdate, validateAllOnUpdate, validateObjectMetaUpdate } from '../update-validators.ts';

const maxDataBytes = 1024 * 1024;

/** ConfigMap, Secret, Namespace, ServiceAccount. Cf. upstream pkg/apis/core/validation. */
export function configValidators(context: ValidationContext): KindValidators {
  return {
    'core.ConfigMap': validateAllOnUpdate({ type: 'core.ConfigMap', namespaced: true }, validateConfigMap, (next, old) =>
      validateImmutableData(next, old, ['data', 'binaryData']),
    ),
    'core.Secret': validateAllOnUpdate(
      { type: 'core.Secret', namespaced: true },
      (object) => validateSecret(object, context),
      (next, old) => [...validateImmutable(next.type, old.type, 'type'), ...validateImmutableData(next, old, ['data'])],
    ),
    'core.ServiceAccount': validateAllOnUpdate({ type: 'core.ServiceAccount', namespaced: true }, () => none),
    'core.Namespace': {
      ...validateAllFirstOnUpdate({ type: 'core.Namespace', namespaced: false }, (object) =>
        validateSpecFinalizers(object, () => 'spec.finalizers'),
      ),
      updateStatus: validateNamespaceStatus,
      subresources: {
        finalize: (next, old) => [
          ...validateObjectMetaUpdate(next, old),
          ...validateSpecFinalizers(next, (index) => `spec.finalizers[${index}]`),
        ],
      },
    },
  };
}

function validateConfigMap(object: Decoded<corev1.ConfigMap>): Errors {
  const [data, binaryData] = [object.data ?? {}, object.binaryData ?? {}];
  let size = 0;
  const errors = collectErrors(Object.keys(data), (key) => {
    size += byteLength(String(data[key]));
    const isRepeated = Object.hasOwn(binaryData, key);
    if (!isRepeated && isConfigMapKey(key).length === 0) return none;
    const repeated = isRepeated ? [invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')] : none;
    return [...validateNameWith(isConfigMapKey, key, `data[${key}]`), ...repeated];
  });
  for (const key of Object.keys(binaryData))
    for (const error of validateNameWith(isConfigMapKey, key, `binaryData[${key}]`)) errors.push(error);
  size += decodedBytes(binaryData);
  // Upstream's path is the empty name, which is printed as `[]`.
  return size > maxDataBytes ? [...errors, tooLong('[]', maxDataBytes)] : errors;
}

/** Immutable objects stay unchanged, and immutable. */
function validateImmutableData<T extends { readonly immutable?: boolean | undefined }>(
  next: T,
  old: T,
  fields: readonly (keyof T & string)[],
): Errors {
  if (!old.immutable) return none;
  const why = 'field is immutable when `immutable` is set';
  return [
    ...(next.immutable ? none : [forbiddenField('immutable', why)]),
    ...fields.filter((field) => !sameJson(next[field], old[field])).map((field) => forbiddenField(field, why)),
  ];
}

function validateSecret(object: Decoded<corev1.Secret>, context: ValidationContext): Errors {
  const data = object.data ?? {};
  const errors = collectErrors(Object.keys(data), (key) => [...validateNameWith(isConfigMapKey, key, `data[${key}]`)]);
  if (decodedBytes(data) > maxDataBytes) errors.push(tooLong('data', maxDataBytes));
  return [...errors, ...validateSecretOfType(object, data, context)];
}

function validateSecretOfType(object: Decoded<corev1.Secret>, data: JsonObject, { rename }: ValidationContext): Errors {
  const missing = (keys: readonly string[]): Errors =>
    keys.filter((key) => data[key] === undefined).map((key) => required(`data[${key}]`, ''));
  const json = (key: string): Errors => (data[key] === undefined ? missing([key]) : validateJsonContent(String(data[key]), `data[${key}]`));
  switch (object.type ?? '') {
    case rename('kubernetes.io/service-account-token'): {
      const annotation = rename('kubernetes.io/service-account.name');
      return object.metadata?.annotations?.[annotation] ? none : [required(`metadata.annotations[${annotation}]`, '')];
    }
    case rename('kubernetes.io/dockercfg'):
      return json('.dockercfg');
    case rename('kubernetes.io/dockerconfigjson'):
      return json('.dockerconfigjson');
    case rename('kubernetes.io/basic-auth'):
      return data['username'] === undefined && data['password'] === undefined ? missing(['username', 'password']) : none;
    case rename('kubernetes.io/ssh-auth'):
      return data['ssh-privatekey'] ? none : [required('data[ssh-privatekey]', '')];
    case rename('kubernetes.io/tls'):
      return missing(['tls.crt', 'tls.key']);
    default:
      return none;
  }
}

function validateJsonContent(base64: string, path: string): Errors {
  try {
    parseJson(atob(base64));
    return none;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return [invalid(path, '<secret contents redacted>', error.message)];
    throw error;
  }
}

function decodedLength(base64: unknown): number {
  const text = String(base64);
  return Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
}

function decodedBytes(data: JsonObject): number {
  return Object.keys(data).reduce((total, key) => total + decodedLength(data[key]), 0);
}

function validateSpecFinalizers({ spec }: Decoded<corev1.Namespace>, pathOf: (index: number) => string): Errors {
  return collectErrors(spec?.finalizers ?? [], (finalizer, index) => [
    ...validateNameWith(isQualifiedName, finalizer, pathOf(index)),
    ...validateFinalizerIsKnown(finalizer, pathOf(index)),
  ]);
}

function validateNamespaceStatus(next: Decoded<corev1.Namespace>, old: Decoded<corev1.Namespace>): Errors {
  const phase = next.status?.phase ?? '';
  const marked = (next.metadata?.deletionTimestamp ?? '') !== '';
  if (phase === (marked ? 'Terminating' : 'Active')) return validateObjectMetaUpdate(next, old);
  const why = marked
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [...validateObjectMetaUpdate(next, old), invalid('status.Phase', phase, why)];
}
