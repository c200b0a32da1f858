import type { Result, Value } from './value.ts';

/** How lists with a schema are compared and added: as sets, or by their map keys (`x-kubernetes-list-type`). */
export type ListKind = { readonly kind: 'plain' } | { readonly kind: 'set' } | { readonly kind: 'map'; readonly keys: readonly string[] };

const plain: ListKind = { kind: 'plain' };

/** A list; elements of objects are converted on first use. */
export class ListValue {
  readonly listKind: ListKind;
  /** Whether it comes from an object with a schema. */
  readonly ofSchema: boolean;
  readonly #at: ((index: number) => Result) | undefined;
  readonly #elements: (Result | undefined)[];

  private constructor(elements: (Result | undefined)[], at: ((index: number) => Result) | undefined, listKind: ListKind) {
    this.#elements = elements;
    this.#at = at;
    this.ofSchema = at !== undefined;
    this.listKind = listKind;
  }

  static of(elements: readonly Result[]): ListValue {
    return new ListValue([...elements], undefined, plain);
  }

  /** Result of string functions: upstream represents these lists by another Go type. */
  static ofTexts(texts: readonly string[]): ListValue {
    const list = ListValue.of(texts);
    list.#isOfTexts = true;
    return list;
  }

  #isOfTexts = false;

  get isOfTexts(): boolean {
    return this.#isOfTexts;
  }

  /** `at` creates the element of an index. */
  static lazy(size: number, at: (index: number) => Result, listKind: ListKind = plain): ListValue {
    return new ListValue(new Array<undefined>(size), at, listKind);
  }

  get size(): number {
    return this.#elements.length;
  }

  /** `index` must be within the size. */
  at(index: number): Result {
    let value = this.#elements[index];
    if (value === undefined) {
      value = this.#at?.(index) ?? null;
      this.#elements[index] = value;
    }
    return value;
  }

  get elements(): readonly Result[] {
    return this.#at ? Array.from({ length: this.size }, (_, index) => this.at(index)) : (this.#elements as readonly Result[]);
  }

  /** For functions whose element types are known. */
  get values(): readonly Value[] {
    return this.elements as readonly Value[];
  }

  with(elements: readonly Result[]): ListValue {
    return new ListValue([...elements], this.#at, this.listKind);
  }

  /** True while a macro appends in place: copying at every step would take quadratic time. */
  growing = false;

  #weight: number | undefined;

  /** Caches the result of `weigh` once the list stops growing. */
  weigh(weigh: (list: ListValue) => number): number {
    if (this.growing) return weigh(this);
    this.#weight ??= weigh(this);
    return this.#weight;
  }

  push(more: readonly Result[]): void {
    for (const one of more) this.#elements.push(one);
  }
}
