import { ownMember } from '../../meta/index.ts';
import { goTypeName } from '../functions/type-of.ts';
import type { Overload } from '../language/environment.ts';
import { costExceeded, EvaluationEnded, internalError } from '../values/evaluation-ended.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { codePoints, isFailure, OpaqueValue, OptionalValue, type Result } from '../values/value.ts';
import { WorkBudget } from './work.ts';

/** Tracks the cost of an evaluation. */
export class Meter {
  readonly work: WorkBudget;
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number, work: WorkBudget = new WorkBudget()) {
    this.#limit = limit;
    this.work = work;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws EvaluationEnded */
  add(cost: number): void {
    this.#spent += cost;
    if (this.#spent > this.#limit) throw new EvaluationEnded(costExceeded);
  }
}

/** The cost of one call, by the sizes of its arguments (cf. k8s.io/apiserver pkg/cel/library CostEstimator, cel-go's CostTracker). */
export function costOf(name: string, overloads: readonly Overload[]): (args: readonly Result[], result: Result) => number {
  const overload = overloads.length === 1 ? overloads[0] : undefined;
  const ofKubernetes = ownMember(kubernetesCosts, name);
  const standard = standardCost(name, overload);
  return ([first = null, second = null], result) => ofKubernetes?.(first, second, result, overload) ?? standard(first, second);
}

/** The overload is undefined when the checker could not choose one. */
type Cost = (first: Result, second: Result, result: Result, overload: Overload | undefined) => number | undefined;

const one: Cost = () => 1;
const traverse: Cost = (first) => share(sizeOf(first));
const traverseTwice: Cost = (first) => share(2 * sizeOf(first));
const traverseAll: Cost = (first) => traversal(first);

const kubernetesCosts: Readonly<Record<string, Cost>> = {
  check: () => 350_000,
  ...each('serviceAccount path group resource subresource namespace name allowed reason error errored', one),
  ...each('fieldSelector labelSelector', (_, selector) => selectorCost(sizeOf(selector))),
  ...each('isSorted sum max min indexOf lastIndexOf', traverseAll),
  ...each('url lowerAscii upperAscii substring trim jsonpatch.escapeKey cidr isIP isCIDR quantity isQuantity semver isSemver', traverse),
  ...each('replace split ip.isCanonical', traverseTwice),
  join: (_first, _second, result) => share(2 * sizeOf(result)),
  ...each('find findAll', (text, pattern) => regexCost(sizeOf(text), sizeOf(pattern))),
  ip: (first, _second, _result, overload) => (overload?.member ? 1 : share(sizeOf(first))),
  ...each('masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', one),
  containsIP: (cidr, other, _, overload) => share(2 * sizeOf(cidr)) + parseCost(overload, other),
  containsCIDR: (cidr, other, _, overload) => share(2 * sizeOf(cidr)) + share(sizeOf(cidr)) + 1 + parseCost(overload, other),
  validate: (format, text) => (hasPattern(format) ? regexCost(sizeOf(text), format.maxRegexSize) : undefined),
  ...each('format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch', one),
  ...each('getScheme getHostname getHost getPort getEscapedPath getQuery', one),
  '_==_': (first) => (first instanceof OpaqueValue ? 1 : undefined),
  ...each('sets.contains sets.intersects', (a, b) => 1 + sizeOf(a) * sizeOf(b)),
  'sets.equivalent': (a, b) => 1 + 2 * sizeOf(a) * sizeOf(b),
  ...each('slice lists.range reverse', (_first, _second, result) => 11 + sizeOf(result)),
  flatten: flattenCost,
  ...each('distinct sort', (list, _second, _result, overload) => overload && selfCompareCost(list)),
  '@sortByAssociatedKeys': (_list, keys, _result, overload) => overload && selfCompareCost(keys),
};

/** A negative depth becomes a huge unsigned number. */
function flattenCost(list: Result, depth: Result, _: Result, overload: Overload | undefined): number {
  if (overload?.args.length === 1) return 11 + sizeOf(list);
  if (typeof depth === 'bigint') return Number(BigInt.asUintN(64, 11n + BigInt(sizeOf(list)) * depth));
  throw internalError(`interface conversion: ref.Val is ${nameOf(depth)}, not types.Int`);
}

/** A string is parsed as an address first. */
function parseCost(overload: Overload | undefined, text: Result): number {
  return overload?.args[1]?.kind === 'string' ? share(sizeOf(text)) : 0;
}

function nameOf(value: Result): string {
  return isFailure(value) ? '*types.Err' : goTypeName(value);
}

const addable = new Set(['Int', 'Uint', 'Double', 'String', 'Bytes', 'Timestamp', 'Duration'].map((name) => `types.${name}`));

/** Compares every element with every other. Upstream accesses the list without a type check. */
function selfCompareCost(list: Result): number {
  if (!(list instanceof ListValue)) {
    const missing = !isFailure(list) && addable.has(goTypeName(list)) ? 'Contains' : 'Add';
    throw internalError(`interface conversion: ${nameOf(list)} is not traits.Lister: missing method ${missing}`);
  }
  const size = sizeOf(list);
  const first = size > 0 ? list.at(0) : null;
  const text = typeof first === 'string' || first instanceof Uint8Array;
  return 11 + Math.floor(size * size * (text ? 2.1 : 2));
}

function each(names: string, cost: Cost): Readonly<Record<string, Cost>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, cost]));
}

function hasPattern(value: Result): value is OpaqueValue & { readonly maxRegexSize: number } {
  return value instanceof OpaqueValue && 'maxRegexSize' in value;
}

const perFirst = new Set(['startsWith .string,string', 'endsWith .string,string', 'bytes string', 'string bytes', 'strings.quote string']);

function standardCost(name: string, overload: Overload | undefined): (first: Result, second: Result) => number {
  const ofSmaller = (first: Result, second: Result): number => share(Math.min(sizeOf(first), sizeOf(second)));
  if (name === '_==_' || name === '_!=_') return ofSmaller;
  if (!overload) return () => 1;
  const key = `${name} ${overload.member ? '.' : ''}${overload.signature}`;
  if (perFirst.has(key) || key === 'format .string,list(dyn)') return (first) => share(sizeOf(first));
  const text = overload.signature === 'string,string' || overload.signature === 'bytes,bytes';
  if (text && /^_[<>]=?_$/.test(name)) return ofSmaller;
  if (text && name === '_+_') return (first, second) => share(sizeOf(first) + sizeOf(second));
  if (key === '@in A,list(A)') return (_first, second) => sizeOf(second);
  if (key === 'matches .string,string') return (first, second) => regexCost(sizeOf(first), sizeOf(second));
  return key === 'contains .string,string' ? (first, second) => share(sizeOf(first)) * share(sizeOf(second)) : () => 1;
}

/** Traversing a string costs a tenth of its length. */
function share(size: number): number {
  return Math.ceil(size * 0.1);
}

function regexCost(text: number, pattern: number): number {
  return share(1 + text) * Math.ceil(pattern * 0.25);
}

function selectorCost(length: number): number {
  return 10 + share(length) + Math.ceil(Math.ceil(length * 0.5) * 50);
}

/** Strings count code points. */
function sizeOf(value: Result): number {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof ListValue || value instanceof MapValue || value instanceof OpaqueValue) return value.size;
  return value instanceof OptionalValue && value.value !== undefined ? sizeOf(value.value) : 1;
}

function traversal(value: Result): number {
  if (isFailure(value)) return 1;
  if (typeof value === 'string') return Math.floor(new TextEncoder().encode(value).length * 0.1);
  if (value instanceof Uint8Array) return Math.floor(value.length * 0.1);
  if (value instanceof ListValue) return value.elements.reduce<number>((sum, part) => sum + traversal(part), 0);
  if (!(value instanceof MapValue)) return 1;
  return value.keys.reduce<number>((sum, key) => sum + traversal(key) + traversal(value.find(key) ?? null), 0);
}
