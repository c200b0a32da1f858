import { isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import { draftOf, isJsonArray, member, memberNames } from '../json-value.ts';
import { itemElement } from './list-item.ts';
import { elementText, type PathElement } from './path-element.ts';
import { fieldOf, type ListShape, type MapShape, type Shape, type StructShape, type UntypedShape } from './shape.ts';
import { TypedError } from './typed-error.ts';

/**
 * The live value with the applied one merged into it: applied values win, items merge by identity, what is atomic is taken whole
 * (cf. structured-merge-diff TypedValue.Merge). Parts that the applied value does not name are shared with the live one.
 */
export function mergeValues(live: Json | undefined, applied: Json, shape: Shape): Json {
  if (live === undefined || live === applied) return applied;
  switch (shape.kind) {
    case 'scalar':
      return applied;
    case 'list':
      return shape.atomic ? applied : mergeLists(live, applied, shape);
    case 'struct':
    case 'map':
      return shape.atomic ? applied : mergeObjects(live, applied, shape);
    case 'untyped':
      return shape.atomic || !isJsonObject(live) || !(isJsonObject(applied) || applied === null)
        ? applied
        : mergeObjects(live, applied, shape);
  }
}

function mergeObjects(live: Json, applied: Json, shape: StructShape | MapShape | UntypedShape): Json {
  const [left, right]: [JsonObject, JsonObject] = [isJsonObject(live) ? live : {}, isJsonObject(applied) ? applied : {}];
  const names = memberNames(right);
  // Two that are empty are one value, so that null and {} stay what was applied.
  if (names.length === 0) return memberNames(left).length === 0 ? applied : live;
  const out = draftOf(left);
  for (const name of names) {
    const part = right[name] ?? null;
    const partShape = shape.kind === 'struct' ? fieldOf(shape, name)?.shape : shape.kind === 'map' ? shape.values : shape;
    setMember(out, name, partShape ? mergeValues(member(left, name), part, partShape) : part);
  }
  return out;
}

function mergeLists(live: Json, applied: Json, shape: ListShape): Json {
  const [left, right] = [isJsonArray(live) ? live : [], isJsonArray(applied) ? applied : []];
  if (left.length === 0 && right.length === 0) return applied;
  if (right.length === 0) return live;
  return new ListMerge(indexed(left, shape, 'allowed'), indexed(right, shape, 'refused'), shape).result();
}

/** A list with what tells its items apart. */
interface Indexed {
  readonly elements: readonly PathElement[];
  readonly items: readonly Json[];
  /** undefined: stands there more than once, and is not merged. */
  readonly byElement: ReadonlyMap<PathElement, Json | undefined>;
}

function indexed(items: readonly Json[], shape: ListShape, repeats: 'allowed' | 'refused'): Indexed {
  const byElement = new Map<PathElement, Json | undefined>();
  const elements = items.map((item, index) => {
    const one = itemElement(shape, item);
    if ('problem' in one) throw new TypedError([{ path: [], message: `element ${index}: ${one.problem}` }]);
    const again = byElement.has(one.element);
    if (again && repeats === 'refused') {
      throw new TypedError([{ path: [], message: `duplicate entries for key ${elementText(one.element)}` }]);
    }
    byElement.set(one.element, again ? undefined : item);
    return one.element;
  });
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

  result(): Json {
    const [live, applied] = [this.#live.elements, this.#applied.elements];
    let l = 0;
    let r = 0;
    while (l < live.length || r < applied.length) {
      const mine = live[l];
      const theirs = applied[r];
      if (mine !== undefined && mine === theirs) {
        this.#take(mine);
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
        this.#take(theirs);
        if (theirs === awaited) this.#nextShared++;
        r++;
      }
    }
    return this.#out;
  }

  #take(element: PathElement): void {
    this.#merged.add(element);
    const applied = this.#applied.byElement.get(element) ?? null;
    this.#out.push(mergeValues(this.#live.byElement.get(element), applied, this.#shape.items));
  }
}
