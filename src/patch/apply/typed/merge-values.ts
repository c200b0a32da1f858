import {
  isJsonObject,
  itemsPerStep,
  type Json,
  type JsonObject,
  type Recursion,
  type Steps,
  setMember,
  stepsOf,
} from '../../../meta/index.ts';
import { draftOf, isJsonArray, member, memberNames } from '../../json-value.ts';
import { formatElement, type PathElement } from '../fieldpath/path-element.ts';
import { requiredElement } from './list-item.ts';
import { fieldOf, type ListShape, type Shape } from './shape.ts';
import { TypedError } from './typed-error.ts';

/**
 * Merges the applied value into the live one: applied values win, items merge by identity, atomic values are replaced (cf.
 * structured-merge-diff TypedValue.Merge). Parts that are not in the applied value are shared with the live one.
 */
export function* mergeValues(live: Json | undefined, applied: Json, shape: Shape): Steps<Json> {
  return isMergeable(live, applied, shape) ? yield* stepsOf(mergeParts(live, applied, shape)) : applied;
}

/** Whether two values are merged part by part; otherwise the applied one replaces the live one. */
function isMergeable(live: Json | undefined, applied: Json, shape: Shape): boolean {
  if (live === undefined || live === applied || shape.kind === 'scalar' || shape.atomic) return false;
  return shape.kind !== 'untyped' || (isJsonObject(live) && (isJsonObject(applied) || applied === null));
}

function mergeParts(live: Json | undefined, applied: Json, shape: Shape): Recursion<Json> {
  return shape.kind === 'list' ? mergeLists(live, applied, shape) : mergeObjects(live, applied, shape);
}

function* mergeObjects(live: Json | undefined, applied: Json, shape: Shape): Recursion<Json> {
  const [left, right]: [JsonObject, JsonObject] = [isJsonObject(live) ? live : {}, isJsonObject(applied) ? applied : {}];
  const names = memberNames(right);
  // Two empty values are equal, so null and {} stay as applied.
  if (names.length === 0) return memberNames(left).length === 0 ? applied : (live ?? null);
  const out = draftOf(left);
  let count = 0;
  for (const name of names) {
    if (++count % itemsPerStep === 0) yield;
    const part = right[name] ?? null;
    const partShape = memberShape(shape, name);
    const own = member(left, name);
    setMember(out, name, partShape && isMergeable(own, part, partShape) ? yield mergeParts(own, part, partShape) : part);
  }
  return out;
}

function memberShape(shape: Shape, name: string): Shape | undefined {
  if (shape.kind === 'struct') return fieldOf(shape, name)?.shape;
  return shape.kind === 'map' ? shape.values : shape;
}

function* mergeLists(live: Json | undefined, applied: Json, shape: ListShape): Recursion<Json> {
  const [left, right] = [isJsonArray(live) ? live : [], isJsonArray(applied) ? applied : []];
  if (left.length === 0 && right.length === 0) return applied;
  if (right.length === 0) return live ?? null;
  const liveItems = yield* indexList(left, shape, 'allowed');
  const appliedItems = yield* indexList(right, shape, 'refused');
  return yield* new ListMerge(liveItems, appliedItems, shape).result();
}

/** A list with the path elements of its items. */
interface IndexedList {
  readonly elements: readonly PathElement[];
  readonly items: readonly Json[];
  /** Undefined for an element that occurs more than once, which is not merged. */
  readonly byElement: ReadonlyMap<PathElement, Json | undefined>;
}

function* indexList(items: readonly Json[], shape: ListShape, repeats: 'allowed' | 'refused'): Steps<IndexedList> {
  const byElement = new Map<PathElement, Json | undefined>();
  const elements: PathElement[] = [];
  for (const [index, item] of items.entries()) {
    if (index % itemsPerStep === itemsPerStep - 1) yield;
    const element = requiredElement(shape, item, index);
    const again = byElement.has(element);
    if (again && repeats === 'refused') {
      throw new TypedError([{ path: [], message: `duplicate entries for key ${formatElement(element)}` }]);
    }
    byElement.set(element, again ? undefined : item);
    elements.push(element);
  }
  return { elements, items, byElement };
}

/**
 * Merges two lists: common items in the applied order, live items at their position between them (cf. structured-merge-diff
 * mergingWalker.visitListItems).
 *
 * live 1 2 3 4, applied 5 3 1  →  2 5 3 4 1
 */
class ListMerge {
  readonly #live: IndexedList;
  readonly #applied: IndexedList;
  readonly #shape: ListShape;
  readonly #shared: readonly PathElement[];
  readonly #merged = new Set<PathElement>();
  readonly #out: Json[] = [];
  #nextShared = 0;

  constructor(live: IndexedList, applied: IndexedList, shape: ListShape) {
    this.#live = live;
    this.#applied = applied;
    this.#shape = shape;
    this.#shared = applied.elements.filter((element) => live.byElement.has(element));
  }

  *result(): Recursion<Json> {
    const [live, applied] = [this.#live.elements, this.#applied.elements];
    let l = 0;
    let r = 0;
    for (let count = 1; l < live.length || r < applied.length; count++) {
      if (count % itemsPerStep === 0) yield;
      const mine = live[l];
      const theirs = applied[r];
      switch (this.#sourceOf(mine, theirs)) {
        case 'both':
          yield* this.#take(mine as PathElement);
          this.#nextShared++;
          l++;
          r++;
          break;
        case 'live':
          this.#out.push(this.#live.items[l] ?? null);
          l++;
          break;
        case 'later':
          l++;
          break;
        default:
          if (mine !== undefined && this.#merged.has(mine)) l++;
          if (theirs === undefined) break;
          yield* this.#take(theirs);
          if (theirs === this.#shared[this.#nextShared]) this.#nextShared++;
          r++;
      }
    }
    return this.#out;
  }

  /** Where the next item comes from; `later`: the live item has its place after other applied ones. */
  #sourceOf(mine: PathElement | undefined, theirs: PathElement | undefined): 'both' | 'live' | 'later' | 'applied' {
    if (mine === undefined) return 'applied';
    if (mine === theirs) return 'both';
    if (!this.#applied.byElement.has(mine)) return 'live';
    const awaited = this.#shared[this.#nextShared];
    return theirs !== undefined && awaited !== undefined && awaited !== mine ? 'later' : 'applied';
  }

  *#take(element: PathElement): Recursion<Json> {
    this.#merged.add(element);
    const applied = this.#applied.byElement.get(element) ?? null;
    const live = this.#live.byElement.get(element);
    const item = isMergeable(live, applied, this.#shape.items) ? yield mergeParts(live, applied, this.#shape.items) : applied;
    this.#out.push(item);
    return item;
  }
}
