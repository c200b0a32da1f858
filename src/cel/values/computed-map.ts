import { getOrAdd } from '../../meta/index.ts';
import { unescapeName } from '../schema/escape.ts';
import { MapValue } from './map.ts';
import type { Result, Value } from './value.ts';

/** A map whose values are computed from their sources when they are first read. */
export class ComputedMap<Source> extends MapValue {
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #compute: (name: string, source: Source) => Result;
  readonly #known = new Map<string, Result>();

  constructor(sources: ReadonlyMap<string, Source>, compute: (name: string, source: Source) => Result) {
    super();
    this.#sources = sources;
    this.#compute = compute;
  }

  get size(): number {
    return this.#sources.size;
  }

  get keys(): readonly Value[] {
    return Array.from(this.#sources.keys());
  }

  find(key: Value): Result | undefined {
    const name = typeof key === 'string' ? unescapeName(key) : undefined;
    const source = name === undefined ? undefined : this.#sources.get(name);
    if (name === undefined || source === undefined) return undefined;
    return getOrAdd(this.#known, name, () => this.#compute(name, source));
  }

  override equals(other: MapValue): boolean {
    return other === this;
  }
}
