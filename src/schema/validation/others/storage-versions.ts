import {
  collectErrors,
  duplicate,
  type FieldError,
  invalid,
  isDns1035Label,
  isDns1123Subdomain,
  repeatedIndexes,
} from '../../../meta/index.ts';
import type { apiserverinternalv1alpha1, storagemigrationv1alpha1 } from '../../api/index.ts';
import { type Errors, none, validateNameWith, validateQualifiedName, validateRequiredText } from '../checks.ts';
import { validateConditions } from '../conditions.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';

type Migration = Decoded<storagemigrationv1alpha1.StorageVersionMigration>;
type MigrationStatus = Decoded<storagemigrationv1alpha1.StorageVersionMigrationStatus>;
type MigrationCondition = Decoded<storagemigrationv1alpha1.MigrationCondition>;

/** StorageVersion and StorageVersionMigration. Cf. upstream apiserverinternal and storagemigration. */
export function storageVersionValidators(context: ValidationContext): KindValidators {
  return {
    'apiserverinternal.StorageVersion': {
      create: (object) => validateServerVersions(object.status ?? {}),
      updateStatus: (next) => validateServerVersions(next.status ?? {}),
    },
    'storagemigration.StorageVersionMigration': {
      create: validateMigration,
      update: (next, old) => [
        ...validateFullMetadata({ type: 'storagemigration.StorageVersionMigration', namespaced: false }, next),
        ...validateMigration(next),
        ...validateObjectMetaUpdate(next, old),
        ...validateImmutableResource(next, old),
      ],
      updateStatus: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateMigrationProgress(next.status ?? {}, old.status ?? {}, (list) =>
          list.map((one) => context.internal.value(one, 'storagemigration/v1alpha1.MigrationCondition')),
        ),
      ],
    },
  };
}

function validateServerVersions(status: Decoded<apiserverinternalv1alpha1.StorageVersionStatus>): Errors {
  const servers = status.storageVersions ?? [];
  const ids = servers.map((one) => one.apiServerID ?? '');
  const repeated = repeatedIndexes(ids);
  return [
    ...collectErrors(servers, (one, index) => {
      const path = `status.storageVersions[${index}]`;
      const id = ids[index] ?? '';
      return [...(repeated.has(index) ? [duplicate(`${path}.apiServerID`, id)] : none), ...validateServer(one, path)];
    }),
    ...validateCommonVersion(servers, status.commonEncodingVersion),
    ...validateVersionConditions(status.conditions ?? []),
  ];
}

function validateServer(one: Decoded<apiserverinternalv1alpha1.ServerStorageVersion>, path: string): Errors {
  const encoding = one.encodingVersion ?? '';
  const [decodable, served] = [one.decodableVersions ?? [], one.servedVersions ?? []];
  const printed = `[${decodable.join(' ')}]`;
  const missing = `decodableVersions must include encodingVersion ${encoding}`;
  const known = new Set(decodable);
  return [
    ...validateNameWith(isDns1123Subdomain, one.apiServerID ?? '', `${path}.apiServerID`),
    ...validateApiVersion(encoding, `${path}.encodingVersion`),
    ...collectErrors(decodable, (version, index) => validateApiVersion(version, `${path}.decodableVersions[${index}]`)),
    ...(known.has(encoding) ? none : [invalid(`${path}.decodableVersions`, one.decodableVersions ?? null, missing)]),
    ...collectErrors(served, (version, index) => {
      const why = `individual served version : ${version} must be included in decodableVersions : ${printed}`;
      const at = `${path}.servedVersions[${index}]`;
      return [...validateApiVersion(version, at), ...(known.has(version) ? none : [invalid(at, version, why)])];
    }),
  ];
}

const empty = 'must be non-empty';

function validateApiVersion(text: string, path: string): Errors {
  const parts = text.split('/');
  if (parts.length > 2) {
    const [label = ''] = isDns1035Label('-');
    const why = `${label.replace(/^a DNS-1035 label/, 'an apiVersion is a DNS-1035 label, which')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`;
    return [invalid(path, text, why)];
  }
  const [version = '', group] = parts.reverse();
  const problems = [
    ...(group === undefined ? [] : group === '' ? [empty] : isDns1123Subdomain(group)).map((why) => `group part: ${why}`),
    ...(version === '' ? [empty] : isDns1035Label(version)).map((why) => `version part: ${why}`),
  ];
  return problems.length > 0 ? [invalid(path, text, problems.join(','))] : none;
}

/** Required when all servers agree on a version, and forbidden otherwise. */
function validateCommonVersion(
  servers: readonly Decoded<apiserverinternalv1alpha1.ServerStorageVersion>[],
  specified: string | undefined,
): Errors {
  const [first, ...others] = servers.map((one) => one.encodingVersion ?? '');
  const common = others.every((version) => version === first) ? first : undefined;
  const path = 'status.commonEncodingVersion';
  if (common === specified) return none;
  if (common === undefined) {
    const why =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';
    return [invalid(path, specified, why)];
  }
  return [invalid(path, specified ?? null, `the ${specified === undefined ? 'common' : 'actual common'} encoding version is ${common}`)];
}

/** Reported at the status itself, as in upstream. */
function validateVersionConditions(list: readonly Decoded<apiserverinternalv1alpha1.StorageVersionCondition>[]): Errors {
  const last = new Map<string, number>();
  return collectErrors(list, (one, index) => {
    const [type, path] = [one.type ?? '', `status[${index}]`];
    const before = last.get(type);
    last.set(type, index);
    const why = `the type of the condition is not unique, it also appears in conditions[${before}]`;
    return [
      ...(before === undefined ? none : [invalid(`${path}.type`, type, why)]),
      ...validateQualifiedName(type, `${path}.type`),
      ...validateQualifiedName(one.status ?? '', `${path}.status`),
      ...validateRequiredText(one, 'reason', path),
      ...validateRequiredText(one, 'message', path),
    ];
  });
}

function validateMigration({ spec }: Migration): Errors {
  return ['resource', 'version'].flatMap((field) => validateRequiredText(spec?.resource, field, 'spec.resource', `${field} is required`));
}

function validateImmutableResource(next: Migration, old: Migration): Errors {
  const [now, before] = [next.spec?.resource ?? {}, old.spec?.resource ?? {}];
  return (['group', 'version', 'resource'] as const).flatMap((field) =>
    (now[field] ?? '') === (before[field] ?? '') ? none : [invalid(field, now[field] ?? '', 'field is immutable')],
  );
}

type ConditionsFormatter = (list: readonly MigrationCondition[]) => Parameters<typeof invalid>[1];

/** The progress of a migration: a finished one does not continue. */
function validateMigrationProgress(next: MigrationStatus, old: MigrationStatus, shown: ConditionsFormatter): Errors {
  const list = next.conditions ?? [];
  const is = ({ conditions = [] }: MigrationStatus, type: string): boolean =>
    conditions.find((one) => one.type === type)?.status === 'True';
  const errors: FieldError[] = [];
  const refuse = (why: string): unknown => errors.push(invalid('status.conditions', shown(list), why));
  const [succeeded, failed] = [is(next, 'Succeeded'), is(next, 'Failed')];
  if (succeeded && failed) refuse('Both success and failed conditions cannot be true at the same time');
  if (succeeded && is(next, 'Running')) refuse('Running condition cannot be true when success condition is true');
  if (failed && is(next, 'Running')) refuse('Running condition cannot be true when failed condition is true');
  if (is(old, 'Succeeded') && !succeeded) refuse('Success condition cannot be set to false once it is true');
  if (is(old, 'Failed') && !failed) refuse('Failed condition cannot be set to false once it is true');
  return [...validateMigratedVersion(next), ...validateMigrationConditions(list), ...validateImmutableVersion(next, old), ...errors];
}

const versionPath = 'status.resourceVersion';
const maxInt64 = 2n ** 63n - 1n;

function validateMigratedVersion({ resourceVersion: text = '' }: MigrationStatus): Errors {
  if (text === '') return none;
  const isNumber = /^[+-]?\d+$/.test(text);
  if (isNumber && BigInt(text) <= maxInt64) {
    return BigInt(text) < 0n ? [invalid(versionPath, Number(text), 'must be greater than or equal to 0')] : none;
  }
  const quoted = JSON.stringify(text);
  const why = isNumber ? 'value out of range' : 'invalid syntax';
  return [invalid(versionPath, text, `failed to parse resource version ${quoted}: strconv.ParseInt: parsing ${quoted}: ${why}`)];
}

function validateImmutableVersion(
  { resourceVersion: now = '' }: MigrationStatus,
  { resourceVersion: before = '' }: MigrationStatus,
): Errors {
  return before === '' || now === before ? none : [invalid(versionPath, now, 'field is immutable')];
}

/** Validated like other conditions; the time field has a different name in the API than in errors. */
function validateMigrationConditions(list: readonly MigrationCondition[]): Errors {
  const usual = list.map((one) => ({ ...one, lastTransitionTime: one.lastUpdateTime ?? '' }));
  return validateConditions(usual, 'status.conditions');
}
