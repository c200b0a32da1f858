import { sortNamesInSteps } from '../collections/sort-in-steps.ts';
import type { StepCounter } from '../collections/steps.ts';
import { isJsonObject, type Json, type JsonObject, setMember } from './json.ts';

/** A list that is not copied yet, and its copy, which is still empty. */
interface PendingList {
  readonly from: readonly Json[];
  readonly into: Json[];
}

interface PendingObject {
  readonly from: JsonObject;
  readonly into: Record<string, Json>;
}

type Pending = PendingList | PendingObject;

/** Copies values with the members of their objects sorted by name. Without recursion: values may have any depth. */
export class SortedCopy {
  readonly #isShared: (part: Json) => boolean;
  readonly #counter: StepCounter;
  readonly #pending: Pending[] = [];

  /** Parts for which `isShared` holds are not copied. */
  constructor(counter: StepCounter, isShared: (part: Json) => boolean = () => false) {
    this.#counter = counter;
    this.#isShared = isShared;
  }

  *copy(value: Json): Generator<void, Json> {
    const root = this.#begin(value);
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) {
      yield* isList(next) ? this.#copyItems(next) : this.#copyMembers(next);
    }
    return root;
  }

  /** The copy of a value; that of a list or object is filled later. */
  #begin(value: Json): Json {
    if (typeof value !== 'object' || value === null || this.#isShared(value)) return value;
    const pending: Pending = isJsonObject(value) ? { from: value, into: {} } : { from: value, into: [] };
    this.#pending.push(pending);
    return pending.into;
  }

  *#copyItems({ from, into }: PendingList): Generator<void, void> {
    for (const item of from) {
      if (this.#counter.count()) yield;
      into.push(this.#begin(item));
    }
  }

  *#copyMembers({ from, into }: PendingObject): Generator<void, void> {
    for (const name of yield* sortNamesInSteps(Object.keys(from))) {
      if (this.#counter.count()) yield;
      const member = from[name];
      if (member !== undefined) setMember(into, name, this.#begin(member));
    }
  }
}

function isList(pending: Pending): pending is PendingList {
  return Array.isArray(pending.into);
}
