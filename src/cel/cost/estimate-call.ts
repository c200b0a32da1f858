import { ownMember } from '../../meta/index.ts';
import type { Expr } from '../language/ast.ts';
import type { Overload } from '../language/environment.ts';
import { sameType, type Type } from '../language/types.ts';
import type { SizeOf } from './estimate.ts';
import { add, fixed, multiply, type Range, scale, unbounded, unknownSize } from './range.ts';

/** An argument of a call, for cost estimation. */
export interface CostNode {
  readonly expr: Expr;
  readonly type: Type;
  readonly path: readonly string[];
  /** Undefined when unknown. */
  readonly size: Range | undefined;
}

export interface CallCost {
  readonly cost: Range;
  /** Size of the result. */
  readonly size?: Range;
}

/** Cost per character: a tenth to traverse a string, a quarter for a pattern. */
const perChar = 0.1;
const perPatternChar = 0.25;
const one = fixed(1);

/** Estimates a call without the cost of its arguments (cf. k8s.io/apiserver pkg/cel/library CostEstimator, cel-go functionCost). */
export function estimateCall(name: string, overload: Overload | undefined, args: readonly CostNode[], sizeOf: SizeOf): CallCost {
  const sizes = args.map((arg) => arg.size ?? unknownSize);
  const call = { args, sizes, first: sizes[0] ?? unknownSize, second: sizes[1] ?? unknownSize, overload, sizeOf };
  const kubernetes = ownMember(estimators, name)?.(call);
  return kubernetes ?? standardCall(name, call);
}

interface CallSizes {
  readonly args: readonly CostNode[];
  readonly sizes: readonly Range[];
  readonly first: Range;
  readonly second: Range;
  readonly overload: Overload | undefined;
  readonly sizeOf: SizeOf;
}

type Estimator = (call: CallSizes) => CallCost | undefined;

const nominal: Estimator = () => ({ cost: one });
const traversal: Estimator = ({ first }) => ({ cost: scale(first, perChar) });
const sameSize: Estimator = ({ first }) => ({ cost: scale(first, perChar), size: first });

const estimators: Readonly<Record<string, Estimator>> = {
  check: () => ({ cost: fixed(350_000) }),
  ...each('serviceAccount path group resource subresource namespace name allowed reason error errored', nominal),
  ...each('fieldSelector labelSelector', ({ second }) => ({
    cost: add(fixed(10), scale(second, perChar), scale(scale(second, 0.5), 50)),
  })),
  ...each('isSorted sum max min indexOf lastIndexOf', wholeList),
  ...each('url jsonpatch.escapeKey lowerAscii upperAscii substring trim', sameSize),
  replace: ({ first, sizes }) => ({
    cost: scale(first, 2 * perChar),
    size: replacedSize(first, sizes[1] ?? unknownSize, sizes[2] ?? unknownSize),
  }),
  split: ({ first, args }) => ({ cost: scale(first, 2 * perChar), size: { min: 0, max: literalLimit(args[2]) ?? first.max } }),
  join: estimateJoin,
  ...each('find findAll', ({ first, second }) => ({ cost: patternCost(first, second), size: { min: 0, max: first.max } })),
  ...each('cidr isIP isCIDR quantity isQuantity semver isSemver', traversal),
  ip: ({ first, overload }) => ({ cost: overload?.member ? one : scale(first, perChar) }),
  'ip.isCanonical': ({ first }) => ({ cost: scale(first, 2 * perChar) }),
  ...each('masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', nominal),
  containsIP: (call) => ({ cost: add(scale({ min: 8, max: 32 }, perChar), estimateParsing(call)) }),
  containsCIDR: (call) => ({
    cost: add(scale({ min: 8, max: 32 }, perChar), scale({ min: 4, max: 16 }, perChar), one, estimateParsing(call)),
  }),
  validate: ({ second }) => ({ cost: scale(scale(second, perChar), 128 * perPatternChar) }),
  ...each('format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch', nominal),
  ...each('getScheme getHostname getHost getPort getEscapedPath getQuery', nominal),
  '_==_': kubernetesEquality,
  ...each('sets.contains sets.intersects', ({ first, second }) => ({ cost: add(one, multiply(first, second)) })),
  'sets.equivalent': ({ first, second }) => ({ cost: add(one, scale(multiply(first, second), 2)) }),
  slice: ({ first, args }) => {
    const [from = 0, to = first.max] = [literalInt(args[1]), literalInt(args[2])].map((index) =>
      index === undefined ? index : Math.max(0, index),
    );
    const length = to - from;
    return listCost(1, fixed(length < 0 ? unbounded : length));
  },
  'lists.range': ({ args }) => listCost(1, fixed(literalInt(args[0]) ?? unbounded)),
  reverse: ({ first }) => listCost(1, first),
  flatten: ({ first, args }) => listCost(args.length > 1 ? Math.max(0, literalInt(args[1]) ?? unbounded) : 1, first),
  distinct: ({ first }) => listCost(2, multiply(first, first)),
  sort: ({ first, overload }) => listCost(sortFactor(overload?.args[0]), multiply(first, first)),
  '@sortByAssociatedKeys': ({ second, overload }) => listCost(sortFactor(overload?.args[1]), multiply(second, second)),
};

function each(names: string, estimator: Estimator): Readonly<Record<string, Estimator>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, estimator]));
}

function listCost(factor: number, size: Range): CallCost {
  return { cost: add(fixed(11), scale(size, factor)), size };
}

function sortFactor(list: Type | undefined): number {
  return isText(list?.params[0]) ? 2 + perChar : 2;
}

function isText(type: Type | undefined): boolean {
  return type?.kind === 'string' || type?.kind === 'bytes';
}

function literalInt(node: CostNode | undefined): number | undefined {
  return node?.expr.kind === 'literal' && typeof node.expr.value === 'bigint' ? Number(node.expr.value) : undefined;
}

/** A negative limit means unlimited. */
function literalLimit(limit: CostNode | undefined): number | undefined {
  const count = literalInt(limit);
  return count !== undefined && count < 0 ? unbounded : count;
}

/** Sizes of the elements of a list. */
function elementSize(list: CostNode | undefined, sizeOf: SizeOf): Range {
  const max = list && list.path.length > 0 ? sizeOf([...list.path, '@items']) : undefined;
  return max === undefined ? unknownSize : { min: 0, max };
}

function wholeList({ args: [list], first, sizeOf }: CallSizes): CallCost {
  const element = list?.type.params[0];
  if (!element) return { cost: scale(first, perChar) };
  const perElement = isText(element) ? add(one, scale(elementSize(list, sizeOf), perChar)) : one;
  return { cost: multiply(first, perElement) };
}

function estimateJoin({ args, first, sizes, sizeOf }: CallSizes): CallCost {
  const elements = args[0]?.type.params[0] ? multiply(first, elementSize(args[0], sizeOf)) : fixed(0);
  const gaps = { min: Math.max(0, first.min - 1), max: first.max > 0 ? (first.max >= unbounded ? unbounded : first.max - 1) : 0 };
  const size = args.length > 1 ? add(elements, multiply(sizes[1] ?? unknownSize, gaps)) : elements;
  return { cost: scale(size, perChar), size };
}

function patternCost(text: Range, pattern: Range): Range {
  return multiply(scale(add(text, one), perChar), scale(pattern, perPatternChar));
}

/** A string argument is parsed as an address first. */
function estimateParsing({ overload, second }: CallSizes): Range {
  return overload?.args[1]?.kind === 'string' ? scale(second, perChar) : fixed(0);
}

/** Between replacing most parts by the shortest text and the shortest part by the longest text. */
function replacedSize(text: Range, old: Range, by: Range): Range {
  const most = old.min === 0 ? text.max + 1 : by.max <= old.min ? 0 : Math.ceil(text.max / old.min);
  const least = old.max === 0 ? text.min + 1 : old.max <= by.min ? 0 : Math.ceil(text.min / old.max);
  const unreplaced = {
    min: old.max === 0 || old.max <= by.min ? text.min : 0,
    max: old.min === 0 || by.max <= old.min ? text.max : 0,
  };
  return add(multiply({ min: Math.min(least, unbounded), max: Math.min(most, unbounded) }, by), unreplaced);
}

const simplyEqual = new Set(
  ['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver'].concat(
    ['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map((name) => `kubernetes.authorization.${name}`),
  ),
);

function kubernetesEquality({ args: [a, b], second }: CallSizes): CallCost | undefined {
  if (!a || !b || !sameType(a.type, b.type)) return undefined;
  if (simplyEqual.has(a.type.name)) return { cost: one };
  if (a.type.name === 'kubernetes.NamedFormat') return { cost: scale({ min: 1, max: 64 }, perChar) };
  if (a.type.name === 'kubernetes.URL') return { cost: scale({ min: 1, max: b.size ? second.max : 1 }, perChar) };
  return undefined;
}

function standardCall(name: string, { first, second, overload }: CallSizes): CallCost {
  const key = `${name} ${overload?.member ? '.' : ''}${overload?.signature ?? ''}`;
  switch (key) {
    case 'format .string,list(dyn)':
      return { cost: scale(first, perChar) };
    case 'bytes string':
      return { cost: scale(first, perChar), size: { min: first.min, max: Math.min(first.max * 4, unbounded) } };
    case 'string bytes':
      return { cost: scale(first, perChar), size: { min: Math.floor(first.min / 4), max: first.max } };
    case 'strings.quote string':
      // An unbounded maximum overflows to 0 in cel-go.
      return { cost: scale(first, perChar), size: { min: first.min + 2, max: first.max >= unbounded ? 0 : first.max * 2 + 2 } };
    case 'startsWith .string,string':
    case 'endsWith .string,string':
      return { cost: scale(second, perChar) };
    case '@in A,list(A)':
      return { cost: second };
    case 'matches .string,string':
      return { cost: patternCost(first, second) };
    case 'contains .string,string':
      return { cost: multiply(scale(first, perChar), scale(second, perChar)) };
    case '_+_ list(A),list(A)':
      return { cost: one, size: add(first, second) };
    case '_+_ string,string':
    case '_+_ bytes,bytes':
      return { cost: scale(add(first, second), perChar), size: add(first, second) };
    default:
      return { cost: estimateComparison(name, overload) ? smallerOf(first, second) : one };
  }
}

function estimateComparison(name: string, overload: Overload | undefined): boolean {
  return name === '_==_' || name === '_!=_' || (/^_[<>]=?_$/.test(name) && isText(overload?.args[0]));
}

function smallerOf(a: Range, b: Range): Range {
  const max = Math.min(a.max, b.max);
  return scale({ min: max > 0 ? 1 : 0, max }, perChar);
}
