import { type PathElement, sortElements } from './path-element.ts';

type Children = ReadonlyMap<PathElement, FieldSet>;
const none: Children = new Map();

/**
 * A set of field paths, as a trie that never changes: operations share what stays the same, and return the very set they were
 * called on when nothing changes (cf. structured-merge-diff fieldpath.Set).
 *
 *     { spec.replicas, spec.ports[80], spec.ports[80].name }
 *     → root ─ f:spec ─ f:replicas (member)
 *                    └ f:ports ─ k:{"port":80} (member) ─ f:name (member)
 */
export class FieldSet {
  static readonly empty: FieldSet = new FieldSet(false, none);
  /** The path that ends here, and nothing below. */
  static readonly leaf: FieldSet = new FieldSet(true, none);

  /** The path that ends here is in the set. */
  readonly member: boolean;
  readonly children: Children;
  #sorted: readonly PathElement[] | undefined;

  private constructor(member: boolean, children: Children) {
    this.member = member;
    this.children = children;
  }

  /** `children` must not be changed afterwards, and hold no empty sets. */
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

  /** Steps below, in the order in which they are told and written. */
  sortedElements(): readonly PathElement[] {
    this.#sorted ??= sortElements(this.children.keys());
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

  /** `previous` when it says the same, so that what many siblings have in common is held, and later worked on, once. */
  sharing(previous: FieldSet): FieldSet {
    return this.equals(previous) ? previous : this;
  }

  /** Everything in either. */
  union(other: FieldSet): FieldSet {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, theirs] of other.children) {
      const mine = this.children.get(element);
      const both = mine ? mine.union(theirs) : theirs;
      if (both === mine) continue;
      children ??= new Map(this.children);
      children.set(element, both);
    }
    if (!children && (this.member || !other.member)) return this;
    return FieldSet.of(this.member || other.member, children ?? this.children);
  }

  /** Everything in both. */
  intersection(other: FieldSet): FieldSet {
    if (other === this) return this;
    const children = new Map<PathElement, FieldSet>();
    for (const [element, mine] of this.children) {
      const theirs = other.children.get(element);
      const both = theirs && mine.intersection(theirs);
      if (both && !both.isEmpty) children.set(element, both);
    }
    return FieldSet.of(this.member && other.member, children);
  }

  /** Without the paths of the other; paths below them stay. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (other === this) return FieldSet.empty;
    return this.#without(other, (mine, theirs) => mine.difference(theirs), this.member && !other.member);
  }

  /** Without the paths of the other and all that is below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (other.member || other === this) return FieldSet.empty;
    return this.#without(other, (mine, theirs) => mine.recursiveDifference(theirs), this.member);
  }

  #without(other: FieldSet, minus: (mine: FieldSet, theirs: FieldSet) => FieldSet, member: boolean): FieldSet {
    let children: Map<PathElement, FieldSet> | undefined;
    const [fewer, more] = this.children.size < other.children.size ? [this, other] : [other, this];
    for (const element of fewer.children.keys()) {
      if (!more.children.has(element)) continue;
      const mine = this.child(element);
      const left = minus(mine, other.child(element));
      if (left === mine) continue;
      children ??= new Map(this.children);
      if (left.isEmpty) children.delete(element);
      else children.set(element, left);
    }
    if (!children && member === this.member) return this;
    return FieldSet.of(member, children ?? this.children);
  }

  isSubsetOf(other: FieldSet): boolean {
    if (other === this) return true;
    if (this.member && !other.member) return false;
    for (const [element, mine] of this.children) {
      const theirs = other.children.get(element);
      if (!theirs || !mine.isSubsetOf(theirs)) return false;
    }
    return true;
  }

  equals(other: FieldSet): boolean {
    return this.isSubsetOf(other) && other.isSubsetOf(this);
  }

  /** All paths: at each step first those that end here, then those that go on. */
  *paths(prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
    const elements = this.sortedElements();
    for (const element of elements) if (this.child(element).member) yield [...prefix, element];
    for (const element of elements) yield* this.child(element).paths([...prefix, element]);
  }
}
