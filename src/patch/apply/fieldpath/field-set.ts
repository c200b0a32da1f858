import { itemsPerStep, type Recursion, runSteps, type Steps, stepsOf } from '../../../meta/index.ts';
import { type PathElement, sortElements } from './path-element.ts';

type Children = ReadonlyMap<PathElement, FieldSet>;
const none: Children = new Map();

/**
 * An immutable set of field paths, stored as a trie. Operations share unchanged parts, and return the set itself when nothing changes (cf.
 * structured-merge-diff fieldpath.Set).
 *
 * { spec.replicas, spec.ports[80], spec.ports[80].name }
 * → root ─ f:spec ─ f:replicas (member)
 * └ f:ports ─ k:{"port":80} (member) ─ f:name (member)
 */
export class FieldSet {
  static readonly empty: FieldSet = new FieldSet(false, none);
  /** Only the path that ends here. */
  static readonly leaf: FieldSet = new FieldSet(true, none);

  /** Whether the path that ends here is in the set. */
  readonly member: boolean;
  readonly children: Children;
  #sorted: readonly PathElement[] | undefined;

  private constructor(member: boolean, children: Children) {
    this.member = member;
    this.children = children;
  }

  /** `children` must not be changed afterwards, and must not contain empty sets. */
  static of(member: boolean, children: Children | undefined): FieldSet {
    if (children === undefined || children.size === 0) return member ? FieldSet.leaf : FieldSet.empty;
    return new FieldSet(member, children);
  }

  static fromPaths(paths: Iterable<readonly PathElement[]>): FieldSet {
    let set = FieldSet.empty;
    for (const path of paths)
      set = set.union(path.reduceRight<FieldSet>((inner, element) => FieldSet.of(false, new Map([[element, inner]])), FieldSet.leaf));
    return set;
  }

  get isEmpty(): boolean {
    return !this.member && this.children.size === 0;
  }

  /** The elements below, in the order in which they are listed and encoded. */
  sortedElements(): readonly PathElement[] {
    return runSteps(this.sortedElementsInSteps());
  }

  *sortedElementsInSteps(): Steps<readonly PathElement[]> {
    this.#sorted ??= yield* sortElements(this.children.keys());
    return this.#sorted;
  }

  child(element: PathElement): FieldSet {
    return this.children.get(element) ?? FieldSet.empty;
  }

  has(path: readonly PathElement[]): boolean {
    let at: FieldSet | undefined = this;
    for (const element of path) at = at?.children.get(element);
    return at?.member ?? false;
  }

  /** Returns `previous` when it is equal, so that siblings share one set, which later operations process once. */
  sharedWith(previous: FieldSet): FieldSet {
    return this.equals(previous) ? previous : this;
  }

  /** Paths in either set. */
  union(other: FieldSet): FieldSet {
    return simpleUnion(this, other) ?? runSteps(stepsOf(union(this, other)));
  }

  *unionInSteps(other: FieldSet): Steps<FieldSet> {
    return simpleUnion(this, other) ?? (yield* stepsOf(union(this, other)));
  }

  /** Paths in both sets. */
  intersection(other: FieldSet): FieldSet {
    return runSteps(this.intersectionInSteps(other));
  }

  *intersectionInSteps(other: FieldSet): Steps<FieldSet> {
    return simpleIntersection(this, other) ?? (yield* stepsOf(intersection(this, other)));
  }

  /** Without the paths of the other set; paths below them stay. */
  difference(other: FieldSet): FieldSet {
    return runSteps(this.differenceInSteps(other));
  }

  *differenceInSteps(other: FieldSet): Steps<FieldSet> {
    return simpleDifference(this, other) ?? (yield* stepsOf(difference(this, other)));
  }

  /** Without the paths of the other set and all paths below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    return simpleRecursiveDifference(this, other) ?? runSteps(stepsOf(recursiveDifference(this, other)));
  }

  isSubsetOf(other: FieldSet): boolean {
    return everyPair(this, other, (mine, theirs) => (theirs.member || !mine.member) && mine.children.size <= theirs.children.size);
  }

  equals(other: FieldSet): boolean {
    return everyPair(this, other, (mine, theirs) => mine.member === theirs.member && mine.children.size === theirs.children.size);
  }

  /** All paths: at each level first those that end here, then those below. */
  *paths(prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
    const elements = this.sortedElements();
    for (const element of elements) if (this.child(element).member) yield [...prefix, element];
    for (const element of elements) yield* this.child(element).paths([...prefix, element]);
  }
}

/** Whether a predicate holds for two sets and for all sets below the first, paired with those at the same path of the other. */
function everyPair(first: FieldSet, other: FieldSet, holds: (mine: FieldSet, theirs: FieldSet) => boolean): boolean {
  if (first === other) return true;
  if (!holds(first, other)) return false;
  if (first.children.size === 0) return true;
  const open: [FieldSet, FieldSet][] = [[first, other]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [{ children }, { children: others }] = pair;
    for (const [element, mine] of children) {
      const theirs = others.get(element);
      if (mine === theirs) continue;
      if (!theirs || !holds(mine, theirs)) return false;
      if (mine.children.size > 0) open.push([mine, theirs]);
    }
  }
  return true;
}

// Fast paths without a walk: most sets are leaves or empty.

function simpleUnion(mine: FieldSet, other: FieldSet): FieldSet | undefined {
  if (other === mine || other.isEmpty) return mine;
  if (mine.isEmpty) return other;
  if (other.children.size === 0) return withMember(mine, true);
  if (mine.children.size === 0) return withMember(other, true);
  return undefined;
}

function simpleIntersection(mine: FieldSet, other: FieldSet): FieldSet | undefined {
  if (other === mine) return mine;
  if (mine.children.size === 0 || other.children.size === 0) return FieldSet.of(mine.member && other.member, undefined);
  return undefined;
}

function simpleDifference(mine: FieldSet, other: FieldSet): FieldSet | undefined {
  if (other.isEmpty) return mine;
  if (other === mine) return FieldSet.empty;
  if (mine.children.size > 0 && other.children.size > 0) return undefined;
  return withMember(mine, mine.member && !other.member);
}

function simpleRecursiveDifference(mine: FieldSet, other: FieldSet): FieldSet | undefined {
  if (other.isEmpty) return mine;
  if (other.member || other === mine) return FieldSet.empty;
  return mine.children.size === 0 || other.children.size === 0 ? mine : undefined;
}

function withMember(set: FieldSet, member: boolean): FieldSet {
  return member === set.member ? set : FieldSet.of(member, set.children);
}

function* union(mine: FieldSet, other: FieldSet): Recursion<FieldSet> {
  const changes: [PathElement, FieldSet][] = [];
  let last: LastResult | undefined;
  let count = 0;
  for (const [element, theirs] of other.children) {
    if (++count % itemsPerStep === 0) yield;
    const own = mine.children.get(element);
    if (own && !isResultOf(last, own, theirs)) last = { own, theirs, result: simpleUnion(own, theirs) ?? (yield union(own, theirs)) };
    const both = own ? last?.result : theirs;
    if (both && both !== own) changes.push([element, both]);
  }
  if (changes.length === 0) return withMember(mine, mine.member || other.member);
  const children = new Map(mine.children);
  for (const [element, both] of changes) children.set(element, both);
  return FieldSet.of(mine.member || other.member, children);
}

/** The last result: siblings often share their sets, and then also their result. */
interface LastResult {
  readonly own: FieldSet;
  readonly theirs: FieldSet;
  readonly result: FieldSet;
}

function isResultOf(merged: LastResult | undefined, own: FieldSet, theirs: FieldSet): boolean {
  return merged?.own === own && merged.theirs === theirs;
}

function* intersection(mine: FieldSet, other: FieldSet): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let last: LastResult | undefined;
  let count = 0;
  for (const [element, own] of mine.children) {
    if (++count % itemsPerStep === 0) yield;
    const theirs = other.children.get(element);
    if (!theirs) continue;
    if (!isResultOf(last, own, theirs))
      last = { own, theirs, result: simpleIntersection(own, theirs) ?? (yield intersection(own, theirs)) };
    if (last && !last.result.isEmpty) children.set(element, last.result);
  }
  return FieldSet.of(mine.member && other.member, children);
}

function difference(mine: FieldSet, other: FieldSet): Recursion<FieldSet> {
  return subtract(mine, other, simpleDifference, difference, mine.member && !other.member);
}

function recursiveDifference(mine: FieldSet, other: FieldSet): Recursion<FieldSet> {
  return subtract(mine, other, simpleRecursiveDifference, recursiveDifference, mine.member);
}

function* subtract(
  mine: FieldSet,
  other: FieldSet,
  simple: (mine: FieldSet, other: FieldSet) => FieldSet | undefined,
  minus: (mine: FieldSet, other: FieldSet) => Recursion<FieldSet>,
  member: boolean,
): Recursion<FieldSet> {
  const changes = new Map<PathElement, FieldSet>();
  const [fewer, more] = mine.children.size < other.children.size ? [mine, other] : [other, mine];
  let last: LastResult | undefined;
  let count = 0;
  for (const element of fewer.children.keys()) {
    if (++count % itemsPerStep === 0) yield;
    if (!more.children.has(element)) continue;
    const [own, theirs] = [mine.child(element), other.child(element)];
    if (!isResultOf(last, own, theirs)) last = { own, theirs, result: simple(own, theirs) ?? (yield minus(own, theirs)) };
    if (last && last.result !== own) changes.set(element, last.result);
  }
  if (changes.size === 0) return withMember(mine, member);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, own] of mine.children) {
    if (++count % itemsPerStep === 0) yield;
    const left = changes.get(element) ?? own;
    if (!left.isEmpty) children.set(element, left);
  }
  return FieldSet.of(member, children);
}
