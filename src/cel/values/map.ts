import { unhashable } from './evaluation-ended.ts';
import { Duration, type Failure, fitsInt, maxUint, type Result, Timestamp, TypeValue, Uint, type Value } from './value.ts';

/** A map, or an object with fields. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract readonly keys: readonly Value[];
  /** Undefined when the key is missing; a failure when its type is wrong. */
  abstract find(key: Value): Result | undefined;
  /** What `in` looks at, for maps whose `find` has defaults. */
  contained?(key: Value): Result | undefined;
  /** Overridden by objects with a schema. */
  equals?(other: MapValue): boolean | Failure;

  #weight: number | undefined;

  /** Caches the result of `weigh`; never called while the map grows. */
  weigh(weigh: (map: MapValue) => number): number {
    this.#weight ??= weigh(this);
    return this.#weight;
  }
}

/** A map literal `{…}`. */
export class EntriesMap extends MapValue {
  readonly #entries = new Map<unknown, readonly [Value, Result]>();

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
    if (this.size === 0) return undefined;
    return (this.#entries.get(keyOf(key)) ?? this.#ofOtherNumber(key))?.[1];
  }

  /** A double finds an equal int or uint, and these find each other; they do not find doubles. */
  #ofOtherNumber(key: Value): readonly [Value, Result] | undefined {
    if (key instanceof Uint) return this.#entries.get(`i${key.value}`);
    if (typeof key === 'bigint') return this.#entries.get(`u${key}`);
    if (typeof key !== 'number' || !Number.isInteger(key)) return undefined;
    const whole = BigInt(key);
    const asInt = fitsInt(whole) ? this.#entries.get(`i${whole}`) : undefined;
    return asInt ?? (whole >= 0n && whole <= maxUint ? this.#entries.get(`u${whole}`) : undefined);
  }

  /** True while a macro appends in place: copying at every step would take quadratic time. */
  growing = false;

  set(key: Value, value: Result): void {
    this.#entries.set(keyOf(key), [key, value]);
  }
}

/** A lookup key that is equal for equal keys; values without one equal only themselves. */
function keyOf(key: Value): unknown {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'bigint') return `i${key}`;
  if (key instanceof Uint) return `u${key.value}`;
  if (typeof key === 'number') return Number.isNaN(key) ? Symbol('NaN') : `d${key}`;
  if (key instanceof Timestamp) return `t${key.nanos}`;
  if (key instanceof Duration) return `p${key.nanos}`;
  if (key instanceof TypeValue) return `type ${key.name}`;
  if (key instanceof Uint8Array) throw unhashable();
  return key;
}
