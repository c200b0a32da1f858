import {
  collectErrors,
  duplicate,
  type FieldError,
  invalid,
  isCIdentifier,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  type JsonObject,
  repeatedIndexes,
  required,
  tooLong,
  tooMany,
} from '../../../meta/index.ts';
import type { resourcev1 } from '../../api/index.ts';
import { type Errors, none, validateNameWith } from '../checks.ts';
import { validateDriverName } from '../core/volumes/volume-sources.ts';
import type { Decoded } from '../decoded.ts';

/** Names and collections of device kinds; limits in bytes, as in upstream. */
const maxPoolName = 253;
const maxIdentifier = 32;

/** Validates each item, and then the number of items. */
export function validateSlice<T>(items: readonly T[], max: number, check: (item: T, path: string) => Errors, path: string): Errors {
  return [
    ...collectErrors(items, (item, index) => check(item, `${path}[${index}]`)),
    ...(items.length > max ? [tooMany(path, items.length, max)] : none),
  ];
}

export interface SetRules<T> {
  readonly max: number;
  readonly check: (item: T, path: string) => Errors;
  /** The key of an item, and the member that contains it; absent: the item itself. */
  readonly key: (item: T) => string;
  readonly member?: string;
}

/** Like `slice`, and items must be unique. */
export function validateSet<T>(items: readonly T[], { max, check, key, member }: SetRules<T>, path: string): Errors {
  const seen = new Set<string>();
  const twice = collectErrors(items, (item, index): Errors => {
    const value = key(item);
    if (!seen.has(value)) {
      seen.add(value);
      return none;
    }
    return [duplicate(member === undefined ? `${path}[${index}]` : `${path}[${index}].${member}`, value)];
  });
  return [...validateSlice(items, max, check, path), ...twice];
}

/** Keys and values of a map; errors truncate long keys in the middle. */
export function validateMap(
  map: JsonObject,
  maxShown: number,
  check: (key: string, item: JsonObject, path: string) => Errors,
  path: string,
): Errors {
  return collectErrors(Object.keys(map).sort(), (key) => check(key, map[key] as JsonObject, `${path}[${truncateKey(key, maxShown)}]`));
}

function truncateKey(key: string, max: number): string {
  if (key.length <= max) return key;
  const left = max - '...'.length;
  return `${key.slice(0, Math.floor((left + 1) / 2))}...${key.slice(key.length - Math.floor(left / 2))}`;
}

/** DNS subdomains separated by slashes. */
export function validatePoolName(name: string, path: string): Errors {
  if (name === '') return [required(path, '')];
  return [
    ...(name.length > maxPoolName ? [tooLong(path, maxPoolName)] : none),
    ...collectErrors(name.split('/'), (part) => validateNameWith(isDns1123Subdomain, part, path)),
  ];
}

/** The name of an attribute or a capacity, with or without a domain. */
export function validateQualifiedDeviceName(name: string, path: string): Errors {
  if (name === '') return [required(path, 'name required')];
  const [first = '', second, ...more] = name.split('/');
  if (second === undefined) return validateIdentifier(first, path);
  if (more.length > 0) return none;
  return [
    ...(first === '' ? [required(path, 'the domain must not be empty')] : validateDriverName(first, path)),
    ...(second === '' ? [required(path, 'the name must not be empty')] : validateIdentifier(second, path)),
  ];
}

/** Like `qualifiedDeviceName`, with a domain. */
export function validateFullyQualifiedDeviceName(name: string, path: string): Errors {
  return [
    ...validateQualifiedDeviceName(name, path),
    ...(name !== '' && !name.includes('/') ? [invalid(path, name, 'must include a domain')] : none),
  ];
}

function validateIdentifier(name: string, path: string): Errors {
  return [...(name.length > maxIdentifier ? [tooLong(path, maxIdentifier)] : none), ...validateNameWith(isCIdentifier, name, path)];
}

export const validateLabelName = (name: string, path: string): Errors => validateNameWith(isQualifiedName, name, path);

/** A request of the claim, or one of its subrequests after a slash. */
export function validateRequestReference(name: string, known: ReadonlySet<string>, path: string): Errors {
  const unknown: FieldError = invalid(
    path,
    name,
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
  );
  const segments = name.split('/');
  if (segments.length > 2) return [unknown];
  return [...segments.flatMap((segment) => validateNameWith(isDns1123Label, segment, path)), ...(known.has(name) ? none : [unknown])];
}

const maxReferences = 32;

/** The requests of a claim that `owner` refers to. */
export function validateRequestReferences(
  { requests: names = [] }: { readonly requests?: readonly string[] | undefined },
  known: ReadonlySet<string>,
  path: string,
): Errors {
  return validateSet(
    names,
    { max: maxReferences, check: (name, where) => validateRequestReference(name, known, where), key: (name) => name },
    `${path}.requests`,
  );
}

const maxConditions = 4;

/** Conditions that must hold, or that fail, before a device is bound. */
export function validateBindingConditions(bound: Decoded<resourcev1.Device>, path: string): Errors {
  const { bindingConditions: met = [], bindingFailureConditions: failed = [] } = bound;
  const [metPath, failedPath] = [`${path}.bindingConditions`, `${path}.bindingFailureConditions`];
  const [repeatedMet, repeatedFailed, metSet] = [repeatedIndexes(met), repeatedIndexes(failed), new Set(met)];
  return [
    ...validateSlice(met, maxConditions, validateLabelName, metPath),
    ...validateSlice(failed, maxConditions, validateLabelName, failedPath),
    ...collectErrors(met, (condition, index) => (repeatedMet.has(index) ? [duplicate(`${metPath}[${index}]`, condition)] : none)),
    ...collectErrors(failed, (condition, index) => [
      ...(repeatedFailed.has(index) ? [duplicate(`${failedPath}[${index}]`, condition)] : none),
      ...(metSet.has(condition)
        ? [invalid(`${failedPath}[${index}]`, condition, 'bindingFailureConditions must not overlap with bindingConditions')]
        : none),
    ]),
    ...(met.length === 0 && failed.length > 0
      ? [invalid(metPath, bound['bindingConditions'], 'bindingConditions are required to use bindingFailureConditions')]
      : none),
    ...(failed.length === 0 && met.length > 0
      ? [invalid(failedPath, bound['bindingFailureConditions'], 'bindingFailureConditions are required to use bindingConditions')]
      : none),
  ];
}
