import { unhashable } from './ended.ts';
import { Duration, type Failure, fitsInt, maxUint, type Result, Timestamp, TypeValue, Uint, type Value } from './value.ts';

/** A map, or an object with fields. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract readonly keys: readonly Value[];
  /** Undefined when there is none; a failure when the key's type is wrong. */
  abstract find(key: Value): Result | undefined;
  /** Objects of a schema compare in their own way. */
  equals?(other: MapValue): boolean | Failure;

  #weight: number | undefined;

  /** Remembers what `weigh` finds; a map that still grows is weighed by nobody. */
  weigh(weigh: (map: MapValue) => number): number {
    this.#weight ??= weigh(this);
    return this.#weight;
  }
}

/** What `{…}` makes. */
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

  /** Numbers find each other across their types, but only doubles are looked for, not found. */
  #ofOtherNumber(key: Value): readonly [Value, Result] | undefined {
    if (key instanceof Uint) return this.#entries.get(`i${key.value}`);
    if (typeof key === 'bigint') return this.#entries.get(`u${key}`);
    if (typeof key !== 'number' || !Number.isInteger(key)) return undefined;
    const whole = BigInt(key);
    const asInt = fitsInt(whole) ? this.#entries.get(`i${whole}`) : undefined;
    return asInt ?? (whole >= 0n && whole <= maxUint ? this.#entries.get(`u${whole}`) : undefined);
  }

  /** While a macro collects into it: copying at every step would take quadratic time. */
  growing = false;

  set(key: Value, value: Result): void {
    this.#entries.set(keyOf(key), [key, value]);
  }
}

/** One name for equal keys; what is made anew each time is only equal to itself. */
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
