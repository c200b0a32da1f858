import type { Result, Value } from './value.ts';

/** How lists of a schema are compared and added: as sets, or by their map keys (`x-kubernetes-list-type`). */
export type ListKind = { readonly kind: 'plain' } | { readonly kind: 'set' } | { readonly kind: 'map'; readonly keys: readonly string[] };

const plain: ListKind = { kind: 'plain' };

/** A list; elements of objects become values when they are first looked at. */
export class ListValue {
  readonly listKind: ListKind;
  /** Comes from an object with a schema. */
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

  /** What functions of texts give: not every reader of the real server knows such a list from others. */
  static ofTexts(texts: readonly string[]): ListValue {
    const list = ListValue.of(texts);
    list.#isOfTexts = true;
    return list;
  }

  #isOfTexts = false;

  get isOfTexts(): boolean {
    return this.#isOfTexts;
  }

  /** `at` makes the element of an index. */
  static lazy(size: number, at: (index: number) => Result, listKind: ListKind = plain): ListValue {
    return new ListValue(new Array<undefined>(size), at, listKind);
  }

  get size(): number {
    return this.#elements.length;
  }

  /** `index` is within the size. */
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

  /** For functions that were told the elements' types. */
  get values(): readonly Value[] {
    return this.elements as readonly Value[];
  }

  with(elements: readonly Result[]): ListValue {
    return new ListValue([...elements], this.#at, this.listKind);
  }

  /** While a macro collects into it: copying at every step would take quadratic time. */
  growing = false;

  #weight: number | undefined;

  /** Remembers what `weigh` finds once the list does not grow any more. */
  weigh(weigh: (list: ListValue) => number): number {
    if (this.growing) return weigh(this);
    this.#weight ??= weigh(this);
    return this.#weight;
  }

  push(more: readonly Result[]): void {
    for (const one of more) this.#elements.push(one);
  }
}
