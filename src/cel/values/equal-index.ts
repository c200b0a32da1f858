import { ListValue } from './list.ts';
import { MapValue } from './map.ts';
import { Duration, isFailure, OpaqueValue, OptionalValue, type Result, Timestamp, TypeValue, Uint } from './value.ts';

/**
 * An index of simple values by equality, for lookups without a scan. Undefined stands for values that need pairwise comparison:
 * lists, maps, their possible elements, and failures.
 */
export class EqualIndex {
  readonly #names = new Set<string>();

  /** Undefined when some element is not simple. */
  static of(elements: readonly Result[]): EqualIndex | undefined {
    const index = new EqualIndex();
    for (const element of elements) if (index.add(element) === undefined) return undefined;
    return index;
  }

  /** Whether the value is new; undefined when it is not simple. */
  add(value: Result): boolean | undefined {
    const name = nameOf(value);
    if (name === undefined) return undefined;
    if (name === notANumber) return true;
    const { size } = this.#names;
    return this.#names.add(name).size > size;
  }

  has(value: Result): boolean | undefined {
    const name = nameOf(value);
    return name === undefined ? undefined : this.#names.has(name);
  }
}

/** NaN equals nothing, not even itself. */
const notANumber = 'NaN';

/** A key that is the same for all equal values: numbers are equal across types. */
function nameOf(value: Result): string | undefined {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'bigint') return `n${value}`;
  if (typeof value === 'number') return Number.isNaN(value) ? notANumber : Number.isInteger(value) ? `n${BigInt(value)}` : `f${value}`;
  if (typeof value === 'boolean' || value === null) return String(value);
  if (value instanceof Uint) return `n${value.value}`;
  if (value instanceof Timestamp) return `t${value.nanos}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof TypeValue) return `T${value.name}`;
  const compound = value instanceof ListValue || value instanceof MapValue || value instanceof OptionalValue;
  return compound || isFailure(value) || value instanceof OpaqueValue ? undefined : `b${value.join()}`;
}
