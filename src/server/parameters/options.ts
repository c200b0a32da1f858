import {
  type FieldError,
  forbiddenField,
  goQuote,
  invalid,
  invalidObject,
  isPrintable,
  notSupported,
  type Product,
  required,
  tooLong,
} from '../../meta/index.ts';
import type { DeleteOptions } from '../../registry/index.ts';
import { isTrue, readInteger } from './query-values.ts';

/** Options of a write, from its query (part 4.3). */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** For apply: take ownership of fields in conflict. */
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
    if (isPrintable(character)) return;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const shown = {
      reason: 'FieldValueInvalid',
      field: 'fieldManager',
      message: `Invalid value: ${goQuote(manager)}: invalid character U+${code} (at position ${position})`,
    } as const;
    errors.push(shown);
  });
  return errors;
}

/** @throws StatusError 422 when there are errors */
export function refuse(kind: OptionsKind, errors: readonly FieldError[], product: Product): void {
  if (errors.length > 0) throw invalidObject({ group: product.names.metaGroup, name: kind }, '', errors);
}

const propagationPolicies = ['Foreground', 'Background', 'Orphan', 'nil'];

/** Options as a client sends them, not validated yet. */
export type SentDeleteOptions = DeleteOptions & { readonly dryRun?: readonly string[] };

/** Returns whether it is a dry run. @throws StatusError 422 */
export function checkDeleteOptions(options: SentDeleteOptions, product: Product): boolean {
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

/** Deleting an unreadable object allows no other options. */
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
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')];
  const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(uid || resourceVersion ? { preconditions } : {}),
    ...(query.has('orphanDependents') ? { orphanDependents: isTrue(query, 'orphanDependents') } : {}),
    ...(query.has(unsafe) ? { [unsafe]: isTrue(query, unsafe) } : {}),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(query.has('dryRun') ? { dryRun: query.getAll('dryRun') } : {}),
  };
}
