import type { Overload } from '../language/environment.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { isFailure, OpaqueValue, OptionalValue, type Result } from '../values/value.ts';

/** An evaluation cost more than one may. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
    this.name = 'CostExceeded';
  }
}

/** Counts what an evaluation costs. */
export class Meter {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws CostExceeded */
  add(cost: number): void {
    this.#spent += cost;
    if (this.#spent > this.#limit) throw new CostExceeded();
  }
}

/** What one call costs, by the sizes of what it was given (cf. k8s.io/apiserver pkg/cel/library CostEstimator, cel-go's CostTracker). */
export function callCost(name: string, overloads: readonly Overload[], args: readonly Result[], result: Result): number {
  const [first = null, second = null] = args;
  const kubernetes = kubernetesCosts[name]?.(first, second, result);
  if (kubernetes !== undefined) return kubernetes;
  const signature = overloads.length === 1 ? overloads[0] : undefined;
  return standardCost(name, signature, first, second);
}

type Cost = (first: Result, second: Result, result: Result) => number | undefined;

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
  ip: (first) => (first instanceof OpaqueValue ? 1 : share(sizeOf(first))),
  ...each('masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', one),
  containsIP: (cidr, other) => share(2 * sizeOf(cidr)) + (typeof other === 'string' ? share(sizeOf(other)) : 0),
  containsCIDR: (cidr, other) => share(2 * sizeOf(cidr)) + share(sizeOf(cidr)) + 1 + (typeof other === 'string' ? share(sizeOf(other)) : 0),
  validate: (format, text) => (hasPattern(format) ? regexCost(sizeOf(text), format.maxRegexSize) : undefined),
  ...each('format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch', one),
  ...each('getScheme getHostname getHost getPort getEscapedPath getQuery', one),
  '_==_': (first) => (first instanceof OpaqueValue ? 1 : undefined),
  ...each('sets.contains sets.intersects', (a, b) => 1 + sizeOf(a) * sizeOf(b)),
  'sets.equivalent': (a, b) => 1 + 2 * sizeOf(a) * sizeOf(b),
  ...each('slice lists.range reverse', (_first, _second, result) => 11 + sizeOf(result)),
  flatten: (list, depth) => 11 + sizeOf(list) * (typeof depth === 'bigint' ? Number(depth) : 1),
  ...each('distinct sort', (list) => selfCompareCost(list)),
  '@sortByAssociatedKeys': (_, keys) => selfCompareCost(keys),
};

/** Every element with every other. */
function selfCompareCost(list: Result): number {
  const size = sizeOf(list);
  const first = list instanceof ListValue && size > 0 ? list.at(0) : null;
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

function standardCost(name: string, overload: Overload | undefined, first: Result, second: Result): number {
  if (name === '_==_' || name === '_!=_') return share(Math.min(sizeOf(first), sizeOf(second)));
  if (!overload) return 1;
  const key = `${name} ${overload.member ? '.' : ''}${overload.signature}`;
  if (perFirst.has(key) || key === 'format .string,list(dyn)') return share(sizeOf(first));
  const text = overload.signature === 'string,string' || overload.signature === 'bytes,bytes';
  if (text && /^_[<>]=?_$/.test(name)) return share(Math.min(sizeOf(first), sizeOf(second)));
  if (text && name === '_+_') return share(sizeOf(first) + sizeOf(second));
  if (key === '@in A,list(A)') return sizeOf(second);
  if (key === 'matches .string,string') return regexCost(sizeOf(first), sizeOf(second));
  return key === 'contains .string,string' ? share(sizeOf(first)) * share(sizeOf(second)) : 1;
}

/** Going through a text costs a tenth of its length. */
function share(size: number): number {
  return Math.ceil(size * 0.1);
}

function regexCost(text: number, pattern: number): number {
  return share(1 + text) * Math.ceil(pattern * 0.25);
}

function selectorCost(length: number): number {
  return 10 + share(length) + Math.ceil(Math.ceil(length * 0.5) * 50);
}

/** Texts count their code points. */
export function sizeOf(value: Result): number {
  if (typeof value === 'string') return [...value].length;
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
