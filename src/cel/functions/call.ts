import { ownMember } from '../../meta/index.ts';
import { compilePattern } from '../../regexp/index.ts';
import type { Overload } from '../language/environment.ts';
import type { Type } from '../language/types.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { Duration, Failure, isFailure, noSuchOverload, OptionalValue, type Result, Uint, type Value } from '../values/value.ts';
import { arithmetic } from './arithmetic.ts';
import { authorization } from './authorization.ts';
import { collections } from './collections.ts';
import { conversions } from './conversions.ts';
import { formats } from './formats.ts';
import type { Functions } from './functions.ts';
import { jsonPatch } from './json-patch.ts';
import { network } from './network.ts';
import { optionals } from './optionals.ts';
import { quantities } from './quantities.ts';
import { regexFunctions } from './regexes.ts';
import { semvers } from './semvers.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';
import { typeNameOf } from './type-of.ts';
import { urls } from './urls.ts';

const all: Functions = {
  ...arithmetic,
  ...authorization,
  ...collections,
  ...conversions,
  ...formats,
  ...jsonPatch,
  ...network,
  ...optionals,
  ...quantities,
  ...regexFunctions(compilePattern),
  ...semvers,
  ...strings,
  ...times,
  ...urls,
};

/** Calls the overload that the checker chose, or else the one that fits the values. */
export function callFunction(name: string, overloads: readonly Overload[], args: readonly Value[]): Result {
  return bindFunction(name, overloads)(args);
}

/** Like callFunction, with the lookup done once for many calls. */
export function bindFunction(name: string, overloads: readonly Overload[], functions: Functions = all): (args: readonly Value[]) => Result {
  const ofHost = overloads.filter((overload) => overload.call !== undefined);
  const call = ownMember(functions, name);
  const choosesAt = ownMember(selfChecking, name);
  return (args) => {
    for (const overload of ofHost) if (overload.call && fits(overload, args)) return overload.call(...args);
    if (!call) return noSuchOverload();
    const chooses = choosesAt?.(args[0] ?? null) ?? false;
    if (overloads.length > 0 && !chooses && !overloads.some((overload) => fits(overload, args))) return noOverloadFailure(name, args);
    const result = call(...(args as readonly never[]));
    return result === undefined ? zeroOf(overloads[0]?.result) : result;
  };
}

/** Functions that check their arguments themselves, when the first one is of this kind. */
const selfChecking: Readonly<Record<string, (first: Value) => boolean>> = {
  sort: (first) => first instanceof ListValue,
  '@sortByAssociatedKeys': (first) => first instanceof ListValue,
  flatten: () => true,
  '-_': (first) => first instanceof Duration,
  duration: (first) => typeof first === 'bigint',
};

/** The sum of an empty list has its element type. */
function zeroOf(type: Type | undefined): Value {
  if (type?.kind === 'double') return 0;
  if (type?.kind === 'uint') return new Uint(0n);
  return type?.kind === 'duration' ? new Duration(0n) : 0n;
}

/** Types that receive any operator as a method call. */
const receivers = ['string', 'google.protobuf.Timestamp', 'google.protobuf.Duration'];
const comparable = ['bool', 'int', 'uint', 'double', 'bytes'];

/** Further valid left operands by operator; for other types the error names the operator. */
const operands: Readonly<Record<string, readonly string[]>> = {
  '_+_': ['bytes', 'double', 'int', 'list', 'uint'],
  '_-_': ['double', 'int', 'uint'],
  '-_': ['bool', 'double', 'int'],
  '_*_': ['double', 'int', 'uint'],
  '_/_': ['double', 'int', 'uint'],
  '_%_': ['int', 'uint'],
  '_<_': comparable,
  '_<=_': comparable,
  '_>_': comparable,
  '_>=_': comparable,
};

/** Operator errors do not list argument types. */
function noOverloadFailure(name: string, args: readonly Value[]): Failure {
  const known = ownMember(operands, name);
  const left = typeNameOf(args[0] ?? null);
  if (known && !known.includes(left) && !receivers.includes(left)) return new Failure(`no such overload: ${name}`);
  if (/^[_!@-]/.test(name) || genericErrorFunctions.has(name)) return noSuchOverload();
  if (nameOnlyErrorFunctions.has(name)) return receivers.includes(left) ? noSuchOverload() : new Failure(`no such overload: ${name}`);
  return new Failure(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

const genericErrorFunctions = new Set(['contains', 'startsWith', 'endsWith']);
const nameOnlyErrorFunctions = new Set(['size', 'sort', 'matches']);

function fits({ args }: Overload, values: readonly Value[]): boolean {
  return args.length === values.length && args.every((type, i) => isOf(values[i] as Value, type));
}

/** At run time only the type of the first element is checked. */
function isOf(value: Value, type: Type): boolean {
  if (type.kind === 'dyn' || type.kind === 'param') return true;
  if (type.name !== typeNameOf(value)) return false;
  const [element, other] = type.params;
  if (value instanceof ListValue) return element === undefined || value.size === 0 || isResultOf(value.at(0), element);
  if (value instanceof OptionalValue) return element === undefined || value.value === undefined || isOf(value.value, element);
  if (!(value instanceof MapValue) || value.size === 0 || !element || !other) return true;
  const key = value.keys[0];
  return key === undefined || (isOf(key, element) && isResultOf(value.find(key) ?? null, other));
}

function isResultOf(result: Result, type: Type): boolean {
  return isFailure(result) || isOf(result, type);
}
