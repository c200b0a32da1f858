import {
  duplicate,
  type FieldError,
  invalid,
  isCIdentifier,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  type JsonObject,
  required,
  tooLong,
  tooMany,
} from '../../../meta/index.ts';
import { textsAt } from '../accessors.ts';
import { type Errors, nameErrors, none } from '../checks.ts';
import { driverName } from '../core/volume-sources.ts';

/** Names and collections of device kinds; limits in bytes, as in upstream. */
const maxPoolName = 253;
const maxIdentifier = 32;

/** Validates each item, and then the number of items. */
export function validateSlice<T>(items: readonly T[], max: number, check: (item: T, path: string) => Errors, path: string): Errors {
  return [
    ...items.flatMap((item, index) => check(item, `${path}[${index}]`)),
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
  const twice = items.flatMap((item, index): Errors => {
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
  return Object.keys(map)
    .sort()
    .flatMap((key) => check(key, map[key] as JsonObject, `${path}[${truncateKey(key, maxShown)}]`));
}

function truncateKey(key: string, max: number): string {
  if (key.length <= max) return key;
  const left = max - '...'.length;
  return `${key.slice(0, Math.floor((left + 1) / 2))}...${key.slice(key.length - Math.floor(left / 2))}`;
}

/** DNS subdomains separated by slashes. */
export function poolName(name: string, path: string): Errors {
  if (name === '') return [required(path, '')];
  return [
    ...(name.length > maxPoolName ? [tooLong(path, maxPoolName)] : none),
    ...name.split('/').flatMap((part) => nameErrors(isDns1123Subdomain, part, path)),
  ];
}

/** The name of an attribute or a capacity, with or without a domain. */
export function qualifiedDeviceName(name: string, path: string): Errors {
  if (name === '') return [required(path, 'name required')];
  const [first = '', second, ...more] = name.split('/');
  if (second === undefined) return identifier(first, path);
  if (more.length > 0) return none;
  return [
    ...(first === '' ? [required(path, 'the domain must not be empty')] : driverName(first, path)),
    ...(second === '' ? [required(path, 'the name must not be empty')] : identifier(second, path)),
  ];
}

/** Like `qualifiedDeviceName`, with a domain. */
export function fullyQualifiedDeviceName(name: string, path: string): Errors {
  return [
    ...qualifiedDeviceName(name, path),
    ...(name !== '' && !name.includes('/') ? [invalid(path, name, 'must include a domain')] : none),
  ];
}

function identifier(name: string, path: string): Errors {
  return [...(name.length > maxIdentifier ? [tooLong(path, maxIdentifier)] : none), ...nameErrors(isCIdentifier, name, path)];
}

export const labelName = (name: string, path: string): Errors => nameErrors(isQualifiedName, name, path);

/** A request of the claim, or one of its subrequests after a slash. */
export function requestReference(name: string, known: ReadonlySet<string>, path: string): Errors {
  const unknown: FieldError = invalid(
    path,
    name,
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
  );
  const segments = name.split('/');
  if (segments.length > 2) return [unknown];
  return [...segments.flatMap((segment) => nameErrors(isDns1123Label, segment, path)), ...(known.has(name) ? none : [unknown])];
}

const maxReferences = 32;

/** The requests of a claim that `owner` refers to. */
export function requestReferences(owner: JsonObject, known: ReadonlySet<string>, path: string): Errors {
  const names = textsAt(owner, 'requests');
  return validateSet(
    names,
    { max: maxReferences, check: (name, where) => requestReference(name, known, where), key: (name) => name },
    `${path}.requests`,
  );
}

const maxConditions = 4;

/** Conditions that must hold, or that fail, before a device is bound. */
export function bindingConditions(bound: JsonObject, path: string): Errors {
  const [met, failed] = [textsAt(bound, 'bindingConditions'), textsAt(bound, 'bindingFailureConditions')];
  const [metPath, failedPath] = [`${path}.bindingConditions`, `${path}.bindingFailureConditions`];
  return [
    ...validateSlice(met, maxConditions, labelName, metPath),
    ...validateSlice(failed, maxConditions, labelName, failedPath),
    ...met.flatMap((condition, index) => (met.indexOf(condition) < index ? [duplicate(`${metPath}[${index}]`, condition)] : none)),
    ...failed.flatMap((condition, index) => [
      ...(failed.indexOf(condition) < index ? [duplicate(`${failedPath}[${index}]`, condition)] : none),
      ...(met.includes(condition)
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
