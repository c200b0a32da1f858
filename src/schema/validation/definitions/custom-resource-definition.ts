import { collectErrors, invalid, isDns1035Label, isDns1123Subdomain, type Json, required } from '../../../meta/index.ts';
import type { apiextensionsv1 } from '../../api/index.ts';
import { type Errors, none, validateImmutable, validateRequiredOneOf } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateObjectMetaAccessorUpdate } from '../update-validators.ts';
import { validateApproval } from './approval.ts';
import { isEstablished, validateConversion } from './conversion.ts';
import { toGoVersions } from './go-versions.ts';
import { validateSchemaPresent, validateSharedFields, validateVersion } from './versions.ts';

/** Cf. upstream apiextensions-apiserver validation. CEL rules of schemas are compiled elsewhere. */
export function definitionValidators(context: ValidationContext): KindValidators {
  const prefix = context.names.openApiExtensionPrefix;
  const preserve = `cannot set to true, set ${prefix}preserve-unknown-fields to true in spec.versions[*].schema instead`;
  const preserves = (object: Decoded<apiextensionsv1.CustomResourceDefinition>): boolean => object.spec?.preserveUnknownFields === true;
  const status = (object: Decoded<apiextensionsv1.CustomResourceDefinition>): Errors =>
    validateNamesFields(object.status?.acceptedNames ?? {}, 'status.acceptedNames');
  return {
    'apiextensions.CustomResourceDefinition': {
      create: (object) => [
        ...validateDefinitionSpec(object.spec ?? {}, undefined, prefix),
        ...status(object),
        ...validateStoredVersions(object),
        ...validateApproval(object, undefined, context),
        ...(preserves(object) ? [invalid('spec.preserveUnknownFields', true, preserve)] : none),
      ],
      update: (next, old) => [
        ...validateObjectMetaAccessorUpdate(next, old),
        ...validateDefinitionSpec(next.spec ?? {}, old, prefix),
        ...validateImmutableNames(next, old),
        ...status(next),
        ...validateStoredVersions(next),
        ...validateApproval(next, old, context),
        ...(preserves(next) && !preserves(old) ? [invalid('spec.preserveUnknownFields', true, preserve)] : none),
      ],
      updateStatus: (next, old) => [...validateObjectMetaAccessorUpdate(next, old), ...status(next)],
    },
  };
}

/** Group and plural never change; scope and kind not once the definition is established. */
function validateImmutableNames(
  next: Decoded<apiextensionsv1.CustomResourceDefinition>,
  old: Decoded<apiextensionsv1.CustomResourceDefinition>,
): Errors {
  const [spec, before] = [next.spec ?? {}, old.spec ?? {}];
  const [given, was] = [spec.names ?? {}, before.names ?? {}];
  return [
    ...(isEstablished(old)
      ? [...validateImmutable(spec.scope, before.scope, 'spec.scope'), ...validateImmutable(given.kind, was.kind, 'spec.names.kind')]
      : none),
    ...validateImmutable(spec.group, before.group, 'spec.group'),
    ...validateImmutable(given.plural, was.plural, 'spec.names.plural'),
  ];
}

function validateDefinitionSpec(
  spec: Decoded<apiextensionsv1.CustomResourceDefinitionSpec>,
  old: Decoded<apiextensionsv1.CustomResourceDefinition> | undefined,
  prefix: string,
): Errors {
  const versions = spec.versions ?? [];
  const shown = (): Json => (spec.versions === undefined || spec.versions === null ? null : toGoVersions(versions));
  const stored = versions.filter((version) => version.storage === true).length;
  const unique = new Set(versions.map((version) => version.name ?? '')).size === versions.length;
  const first = versions[0]?.name ?? '';
  const wrongFirst = first === '' ? [] : isDns1035Label(first);
  return [
    ...validateGroupName(spec.group ?? ''),
    ...validateRequiredOneOf(spec.scope ?? '', ['Cluster', 'Namespaced'], 'spec.scope'),
    ...collectErrors(versions, (version, index) => validateSchemaPresent(version, `spec.versions[${index}]`)),
    ...collectErrors(versions, (version, index) => validateVersion(version, `spec.versions[${index}]`, versions, prefix)),
    ...(unique ? none : [invalid('spec.versions', shown(), 'must contain unique version names')]),
    ...(stored === 1 ? none : [invalid('spec.versions', shown(), 'must have exactly one version marked as storage version')]),
    // Upstream's internal form repeats the name of the first version.
    ...(wrongFirst.length > 0 ? [invalid('spec.version', first, wrongFirst.join(','))] : none),
    ...validateRequiredNames(spec.names ?? {}),
    ...validateNamesFields(spec.names ?? {}, 'spec.names'),
    ...validateSharedFields(versions, prefix),
    ...validateConversion(spec, old),
  ];
}

function validateGroupName(group: string): Errors {
  if (group === '') return [required('spec.group', '')];
  const wrong = isDns1123Subdomain(group);
  if (wrong.length > 0) return [invalid('spec.group', group, wrong.join(','))];
  return group.includes('.') ? none : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function validateRequiredNames(given: Decoded<apiextensionsv1.CustomResourceDefinitionNames>): Errors {
  return (['plural', 'singular', 'kind', 'listKind'] as const).flatMap((field) =>
    (given[field] ?? '') === '' ? [required(`spec.names.${field}`, '')] : none,
  );
}

function validateNamesFields(given: Decoded<apiextensionsv1.CustomResourceDefinitionNames>, path: string): Errors {
  const { kind = '', listKind = '' } = given;
  const labels = (field: 'shortNames' | 'categories'): Errors =>
    collectErrors(given[field] ?? [], (name, index) => validateLabel(`${path}.${field}[${index}]`, name));
  return [
    ...(['plural', 'singular'] as const).flatMap((field) => (given[field] ? validateLabel(`${path}.${field}`, given[field]) : none)),
    ...(['kind', 'listKind'] as const).flatMap((field) => (given[field] ? validateKindName(`${path}.${field}`, given[field]) : none)),
    ...labels('shortNames'),
    ...(kind !== '' && kind === listKind ? [invalid(`${path}.listKind`, kind, 'kind and listKind may not be the same')] : none),
    ...labels('categories'),
  ];
}

function validateLabel(path: string, name: string): Errors {
  const wrong = isDns1035Label(name);
  return wrong.length > 0 ? [invalid(path, name, wrong.join(','))] : none;
}

function validateKindName(path: string, name: string): Errors {
  const wrong = isDns1035Label(name.toLowerCase());
  const why = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
  return wrong.length > 0 ? [invalid(path, name, why)] : none;
}

/** Versions that stored objects may have. */
function validateStoredVersions(object: Decoded<apiextensionsv1.CustomResourceDefinition>): Errors {
  const path = 'status.storedVersions';
  const stored = object.status?.storedVersions ?? [];
  const versions = object.spec?.versions ?? [];
  // A version without a name counts as stored; its missing name is reported elsewhere.
  const isNameless = versions.some((version) => version.storage === true && (version.name ?? '') === '');
  if (stored.length === 0 && isNameless) return none;
  if (stored.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const known = new Set(versions.map((version) => version.name ?? ''));
  // Upstream removes a stored version when it finds it, so that a second version of that name misses it.
  const unseen = new Set(stored);
  const removed = collectErrors(stored, (name, index) =>
    known.has(name)
      ? none
      : [
          invalid(
            `${path}[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  );
  const missing = versions.filter(({ name = '', storage }) => !unseen.delete(name) && storage === true);
  return [...missing.map((version) => invalid(path, stored, `must have the storage version ${version.name ?? ''}`)), ...removed];
}
