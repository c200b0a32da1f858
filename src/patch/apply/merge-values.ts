import { isJsonObject, itemsInStep, type Json, type JsonObject, type Recursion, type Steps, setMember, stepsOf } from '../../meta/index.ts';
import { draftOf, isJsonArray, member, memberNames } from '../json-value.ts';
import { requiredElement } from './list-item.ts';
import { elementText, type PathElement } from './path-element.ts';
import { fieldOf, type ListShape, type Shape } from './shape.ts';
import { TypedError } from './typed-error.ts';

/**
 * The live value with the applied one merged into it: applied values win, items merge by identity, what is atomic is taken whole
 * (cf. structured-merge-diff TypedValue.Merge). Parts that the applied value does not name are shared with the live one.
 */
export function* mergeValues(live: Json | undefined, applied: Json, shape: Shape): Steps<Json> {
  return mergesParts(live, applied, shape) ? yield* stepsOf(merged(live, applied, shape)) : applied;
}

/** Whether values are merged part by part; the applied one is taken otherwise. */
function mergesParts(live: Json | undefined, applied: Json, shape: Shape): boolean {
  if (live === undefined || live === applied || shape.kind === 'scalar' || shape.atomic) return false;
  return shape.kind !== 'untyped' || (isJsonObject(live) && (isJsonObject(applied) || applied === null));
}

function merged(live: Json | undefined, applied: Json, shape: Shape): Recursion<Json> {
  return shape.kind === 'list' ? mergedLists(live, applied, shape) : mergedObjects(live, applied, shape);
}

function* mergedObjects(live: Json | undefined, applied: Json, shape: Shape): Recursion<Json> {
  const [left, right]: [JsonObject, JsonObject] = [isJsonObject(live) ? live : {}, isJsonObject(applied) ? applied : {}];
  const names = memberNames(right);
  // Two that are empty are one value, so that null and {} stay what was applied.
  if (names.length === 0) return memberNames(left).length === 0 ? applied : (live ?? null);
  const out = draftOf(left);
  let count = 0;
  for (const name of names) {
    if (++count % itemsInStep === 0) yield;
    const part = right[name] ?? null;
    const partShape = memberShape(shape, name);
    const own = member(left, name);
    setMember(out, name, partShape && mergesParts(own, part, partShape) ? yield merged(own, part, partShape) : part);
  }
  return out;
}

function memberShape(shape: Shape, name: string): Shape | undefined {
  if (shape.kind === 'struct') return fieldOf(shape, name)?.shape;
  return shape.kind === 'map' ? shape.values : shape;
}

function* mergedLists(live: Json | undefined, applied: Json, shape: ListShape): Recursion<Json> {
  const [left, right] = [isJsonArray(live) ? live : [], isJsonArray(applied) ? applied : []];
  if (left.length === 0 && right.length === 0) return applied;
  if (right.length === 0) return live ?? null;
  const liveItems = yield* indexed(left, shape, 'allowed');
  const appliedItems = yield* indexed(right, shape, 'refused');
  return yield* new ListMerge(liveItems, appliedItems, shape).result();
}

/** A list with what tells its items apart. */
interface Indexed {
  readonly elements: readonly PathElement[];
  readonly items: readonly Json[];
  /** undefined: stands there more than once, and is not merged. */
  readonly byElement: ReadonlyMap<PathElement, Json | undefined>;
}

function* indexed(items: readonly Json[], shape: ListShape, repeats: 'allowed' | 'refused'): Steps<Indexed> {
  const byElement = new Map<PathElement, Json | undefined>();
  const elements: PathElement[] = [];
  for (const [index, item] of items.entries()) {
    if (index % itemsInStep === itemsInStep - 1) yield;
    const element = requiredElement(shape, item, index);
    const again = byElement.has(element);
    if (again && repeats === 'refused') {
      throw new TypedError([{ path: [], message: `duplicate entries for key ${elementText(element)}` }]);
    }
    byElement.set(element, again ? undefined : item);
    elements.push(element);
  }
  return { elements, items, byElement };
}

/**
 * Both lists in one: shared items in the applied order, live items where they stood between them (cf. structured-merge-diff
 * mergingWalker.visitListItems).
 *
 *     live 1 2 3 4, applied 5 3 1  →  2 5 3 4 1
 */
class ListMerge {
  readonly #live: Indexed;
  readonly #applied: Indexed;
  readonly #shape: ListShape;
  readonly #shared: readonly PathElement[];
  readonly #merged = new Set<PathElement>();
  readonly #out: Json[] = [];
  #nextShared = 0;

  constructor(live: Indexed, applied: Indexed, shape: ListShape) {
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
      if (count % itemsInStep === 0) yield;
      const mine = live[l];
      const theirs = applied[r];
      if (mine !== undefined && mine === theirs) {
        yield* this.#take(mine);
        this.#nextShared++;
        l++;
        r++;
        continue;
      }
      const both = mine !== undefined && this.#applied.byElement.has(mine);
      const awaited = this.#shared[this.#nextShared];
      if (both && theirs !== undefined && awaited !== undefined && awaited !== mine) {
        l++;
        continue;
      }
      if (mine !== undefined && !both) {
        this.#out.push(this.#live.items[l] ?? null);
        l++;
        continue;
      }
      if (mine !== undefined && this.#merged.has(mine)) l++;
      if (theirs !== undefined) {
        yield* this.#take(theirs);
        if (theirs === awaited) this.#nextShared++;
        r++;
      }
    }
    return this.#out;
  }

  *#take(element: PathElement): Recursion<Json> {
    this.#merged.add(element);
    const applied = this.#applied.byElement.get(element) ?? null;
    const live = this.#live.byElement.get(element);
    const item = mergesParts(live, applied, this.#shape.items) ? yield merged(live, applied, this.#shape.items) : applied;
    this.#out.push(item);
    return item;
  }
}
