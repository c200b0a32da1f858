import {
  badRequest,
  type FeatureGates,
  type FieldError,
  forbiddenField,
  invalid,
  invalidObject,
  notSupported,
  type Product,
  required,
  StatusError,
  tooLong,
} from '../meta/index.ts';
import type { DeleteOptions } from '../registry/index.ts';
import { isTrue } from './request-info.ts';

/** Options of a write, from its query (part 4.3). */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** Of an apply: take what others own. */
  readonly force: boolean;
}

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions' | 'ListOptions';

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];
const maxManagerLength = 128;

/** @throws StatusError 422 about the options kind */
export function readWriteOptions(
  query: URLSearchParams,
  kind: OptionsKind,
  product: Product,
  patch: 'apply' | 'other' | 'none' = 'none',
): WriteOptions {
  const errors: FieldError[] = [];
  const fieldManager = query.get('fieldManager') ?? '';
  if (patch === 'other' && query.has('force')) errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  if (patch === 'apply' && fieldManager === '') errors.push(required('fieldManager', 'is required for apply patch'));
  errors.push(...managerErrors(fieldManager));
  const dryRun = readDryRun(query.getAll('dryRun'), product, errors);
  const fieldValidation = query.get('fieldValidation') ?? '';
  if (!fieldValidations.includes(fieldValidation)) errors.push(notSupported('fieldValidation', fieldValidation, fieldValidations));
  refuse(kind, errors, product);
  return {
    dryRun,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as WriteOptions['fieldValidation']),
    force: isTrue(query, 'force'),
  };
}

function readDryRun(values: readonly string[], product: Product, errors: FieldError[]): boolean {
  if (values.length === 0) return false;
  const bare = values.every((value) => value === '');
  if (bare && product.switches.bareDryRunMeansAll) return true;
  if (values.some((value) => value !== 'All')) errors.push(notSupported('dryRun', values, ['All']));
  return true;
}

function managerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (manager.length > maxManagerLength) errors.push(tooLong('fieldManager', maxManagerLength));
  [...manager].forEach((character, position) => {
    if (/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) return;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const shown = {
      reason: 'FieldValueInvalid',
      field: 'fieldManager',
      message: `Invalid value: ${goQuoted(manager)}: invalid character U+${code} (at position ${position})`,
    } as const;
    errors.push(shown);
  });
  return errors;
}

/** Go's %q for control characters. */
function goQuoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\\u0007', '\\a')
    .replaceAll('\\u000b', '\\v')
    .replace(/\\u00([01][0-9a-f])/g, '\\x$1');
}

function refuse(kind: OptionsKind, errors: readonly FieldError[], product: Product): void {
  if (errors.length > 0) throw invalidObject({ group: product.names.metaGroup, name: kind }, '', errors);
}

/** Checked parameters of a list or watch (part 4.4). */
export interface ListOptions {
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: number | undefined;
  readonly match: '' | 'Exact' | 'NotOlderThan';
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean;
  /** Undefined: as long as the server likes. */
  readonly timeoutSeconds: number | undefined;
}

/** @throws StatusError 400 for what cannot be read, 422 for what does not go together */
export function readListOptions(
  query: URLSearchParams,
  verb: 'list' | 'watch',
  { product, featureGates }: { readonly product: Product; readonly featureGates: FeatureGates },
): ListOptions {
  const watchList = featureGates.enabled('WatchList');
  const limit = readInteger(query, 'limit') ?? 0;
  const timeoutSeconds = readInteger(query, 'timeoutSeconds');
  const match = query.get('resourceVersionMatch') ?? '';
  const version = query.get('resourceVersion') ?? '';
  const token = query.get('continue') ?? '';
  const sendInitialEvents = query.has('sendInitialEvents');
  refuse(
    'ListOptions',
    verb === 'watch'
      ? watchErrors({ match, token, sendInitialEvents, watchList })
      : listErrors({ match, version, token, sendInitialEvents }),
    product,
  );
  return {
    limit: Math.max(0, limit),
    continue: token,
    resourceVersion: version === '' ? undefined : readVersion(version, verb),
    match: match as ListOptions['match'],
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    allowBookmarks: isTrue(query, 'allowWatchBookmarks'),
    // What begins with everything anyway is taken as if it had asked for that (upstream SetListOptionsDefaults).
    sendInitialEvents: sendInitialEvents
      ? isTrue(query, 'sendInitialEvents')
      : verb === 'watch' && watchList && match === '' && (version === '' || version === '0'),
    timeoutSeconds,
  };
}

function listErrors({
  match,
  version,
  token,
  sendInitialEvents,
}: {
  match: string;
  version: string;
  token: string;
  sendInitialEvents: boolean;
}): FieldError[] {
  const errors: FieldError[] = [];
  const initial = sendInitialEvents ? [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')] : [];
  if (match === '') return initial;
  const field = 'resourceVersionMatch';
  if (version === '') errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  if (token !== '') errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
  errors.push(...unknownMatch(match, ['Exact', 'NotOlderThan', '']));
  if (match === 'Exact' && version === '0')
    errors.push(forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  return [...errors, ...initial];
}

function watchErrors({
  match,
  token,
  sendInitialEvents,
  watchList,
}: {
  match: string;
  token: string;
  sendInitialEvents: boolean;
  watchList: boolean;
}): FieldError[] {
  const errors: FieldError[] = [];
  const field = 'resourceVersionMatch';
  if (sendInitialEvents) {
    if (match !== 'NotOlderThan')
      errors.push(forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    if (!watchList) {
      const why = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
      errors.push(forbiddenField('sendInitialEvents', why));
    }
  } else if (match !== '')
    errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  if (match === '') return errors;
  errors.push(...unknownMatch(match, ['NotOlderThan']));
  if (token !== '') errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}

/** The supported ones are not sorted here: the empty one comes last, as in the real server. */
function unknownMatch(match: string, supported: readonly string[]): FieldError[] {
  if (supported.includes(match)) return [];
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  return [
    {
      reason: 'FieldValueNotSupported',
      field: 'resourceVersionMatch',
      message: `Unsupported value: ${JSON.stringify(match)}: supported values: ${list}`,
    },
  ];
}

/** Go's ParseInt in 64 bits. */
function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  if (BigInt.asIntN(64, BigInt(text)) !== BigInt(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(text);
}

/** A bad version is 400 on a list but 500 on a watch, a get and a write. */
export function readVersion(text: string, verb: 'list' | 'watch' | 'get'): number {
  const range = /^\d+$/.test(text);
  if (range && BigInt(text) < 2n ** 64n) return Number(text);
  const why = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${range ? 'value out of range' : 'invalid syntax'}`;
  if (verb === 'list') throw badRequest(`invalid resource version: ${why}`);
  throw new StatusError(500, '', why);
}

const propagationPolicies = ['Foreground', 'Background', 'Orphan', 'nil'];

/** @throws StatusError 422 */
export function checkDeleteOptions(options: DeleteOptions & { readonly dryRun?: readonly string[] }, product: Product): boolean {
  const errors: FieldError[] = [];
  const { propagationPolicy, orphanDependents } = options;
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(invalid('propagationPolicy', propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (propagationPolicy !== undefined && !propagationPolicies.slice(0, 3).includes(propagationPolicy)) {
    const list = propagationPolicies.map((policy) => JSON.stringify(policy)).join(', ');
    const message = `Unsupported value: ${JSON.stringify(propagationPolicy)}: supported values: ${list}`;
    errors.push({ reason: 'FieldValueNotSupported', field: 'propagationPolicy', message });
  }
  const dryRun = readDryRun(options.dryRun ?? [], product, errors);
  errors.push(...unsafeErrors(options));
  refuse('DeleteOptions', errors, product);
  return dryRun;
}

/** What cannot be read can only be deleted as it is. */
function unsafeErrors(options: DeleteOptions & { readonly dryRun?: readonly string[] }): FieldError[] {
  const field = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  if (options[field] !== true) return [];
  const others = ['dryRun', 'propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'] as const;
  const given = others.filter((name) => (name === 'dryRun' ? (options.dryRun ?? []).length > 0 : options[name] !== undefined));
  return given.map((name) => invalid(field, true, `cannot be set together with .${name}`));
}

/** Delete options of a request without a body. */
export function readDeleteQuery(query: URLSearchParams): DeleteOptions & { readonly dryRun?: readonly string[] } {
  const gracePeriodSeconds = readInteger(query, 'gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(query.has('orphanDependents') ? { orphanDependents: isTrue(query, 'orphanDependents') } : {}),
    ...(query.has(unsafe) ? { [unsafe]: isTrue(query, unsafe) } : {}),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(query.has('dryRun') ? { dryRun: query.getAll('dryRun') } : {}),
  };
}
