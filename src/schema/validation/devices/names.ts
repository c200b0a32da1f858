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
import { type Errors, named, none } from '../checks.ts';
import { driverName } from '../core/volume-sources.ts';
import { textsAt } from '../reading.ts';

/** Names and collections of the kinds about devices. Bytes, as upstream counts. */
const maxPoolName = 253;
const maxIdentifier = 32;

/** What is wrong with each item, then how many are too many. */
export function slice<T>(items: readonly T[], max: number, check: (item: T, path: string) => Errors, path: string): Errors {
  return [
    ...items.flatMap((item, index) => check(item, `${path}[${index}]`)),
    ...(items.length > max ? [tooMany(path, items.length, max)] : none),
  ];
}

export interface SetOf<T> {
  readonly max: number;
  readonly check: (item: T, path: string) => Errors;
  /** By what items are told apart, and the member it stands in; absent: the item itself. */
  readonly key: (item: T) => string;
  readonly member?: string;
}

/** The same, and what is there twice. */
export function set<T>(items: readonly T[], { max, check, key, member }: SetOf<T>, path: string): Errors {
  const seen = new Set<string>();
  const twice = items.flatMap((item, index): Errors => {
    const value = key(item);
    if (!seen.has(value)) {
      seen.add(value);
      return none;
    }
    return [duplicate(member === undefined ? `${path}[${index}]` : `${path}[${index}].${member}`, value)];
  });
  return [...slice(items, max, check, path), ...twice];
}

/** Keys and items of a map; long keys are cut in the middle where they are told. */
export function eachEntry(
  map: JsonObject,
  maxShown: number,
  check: (key: string, item: JsonObject, path: string) => Errors,
  path: string,
): Errors {
  return Object.keys(map)
    .sort()
    .flatMap((key) => check(key, map[key] as JsonObject, `${path}[${shortened(key, maxShown)}]`));
}

function shortened(key: string, max: number): string {
  if (key.length <= max) return key;
  const left = max - '...'.length;
  return `${key.slice(0, Math.floor((left + 1) / 2))}...${key.slice(key.length - Math.floor(left / 2))}`;
}

/** Subdomains joined by slashes. */
export function poolName(name: string, path: string): Errors {
  if (name === '') return [required(path, '')];
  return [
    ...(name.length > maxPoolName ? [tooLong(path, maxPoolName)] : none),
    ...name.split('/').flatMap((part) => named(isDns1123Subdomain, part, path)),
  ];
}

/** A name of an attribute or a capacity, within the domain of a driver or alone. */
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

/** The same, with its domain. */
export function fullyQualifiedDeviceName(name: string, path: string): Errors {
  return [
    ...qualifiedDeviceName(name, path),
    ...(name !== '' && !name.includes('/') ? [invalid(path, name, 'must include a domain')] : none),
  ];
}

function identifier(name: string, path: string): Errors {
  return [...(name.length > maxIdentifier ? [tooLong(path, maxIdentifier)] : none), ...named(isCIdentifier, name, path)];
}

export const labelName = (name: string, path: string): Errors => named(isQualifiedName, name, path);

/** A request of the claim, or one of its alternatives after a slash. */
export function requestReference(name: string, known: ReadonlySet<string>, path: string): Errors {
  const unknown: FieldError = invalid(
    path,
    name,
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
  );
  const segments = name.split('/');
  if (segments.length > 2) return [unknown];
  return [...segments.flatMap((segment) => named(isDns1123Label, segment, path)), ...(known.has(name) ? none : [unknown])];
}

const maxReferences = 32;

/** Which requests of a claim `owner` is about. */
export function requestReferences(owner: JsonObject, known: ReadonlySet<string>, path: string): Errors {
  const names = textsAt(owner, 'requests');
  return set(
    names,
    { max: maxReferences, check: (name, where) => requestReference(name, known, where), key: (name) => name },
    `${path}.requests`,
  );
}

const maxConditions = 4;

/** Which conditions have to be met, or end it, before a device is bound. */
export function bindingConditions(bound: JsonObject, path: string): Errors {
  const [met, failed] = [textsAt(bound, 'bindingConditions'), textsAt(bound, 'bindingFailureConditions')];
  const [metPath, failedPath] = [`${path}.bindingConditions`, `${path}.bindingFailureConditions`];
  return [
    ...slice(met, maxConditions, labelName, metPath),
    ...slice(failed, maxConditions, labelName, failedPath),
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
