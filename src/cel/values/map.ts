import { type Failure, type Result, Uint, type Value } from './value.ts';

/** A map, or an object with fields. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract readonly keys: readonly Value[];
  /** Undefined when there is none; a failure when the key's type is wrong. */
  abstract find(key: Value): Result | undefined;
  /** Objects of a schema compare in their own way. */
  equals?(other: MapValue): boolean | Failure;
}

/** What `{…}` makes. Numbers find each other across their types. */
export class EntriesMap extends MapValue {
  readonly #entries = new Map<string, readonly [Value, Result]>();

  static of(entries: Iterable<readonly [Value, Result]>): EntriesMap {
    const map = new EntriesMap();
    for (const [key, value] of entries) map.set(key, value);
    return map;
  }

  get size(): number {
    return this.#entries.size;
  }

  get keys(): readonly Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }

  find(key: Value): Result | undefined {
    const name = keyOf(key);
    return name === undefined ? undefined : this.#entries.get(name)?.[1];
  }

  /** While a macro collects into it: copying at every step would take quadratic time. */
  growing = false;

  set(key: Value, value: Result): void {
    const name = keyOf(key);
    if (name !== undefined) this.#entries.set(name, [key, value]);
  }
}

/** One name for equal keys; undefined for what cannot be a key. */
function keyOf(key: Value): string | undefined {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === 'number') return Number.isInteger(key) ? `n${BigInt(key)}` : `n${key}`;
  return undefined;
}
