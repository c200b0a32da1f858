import { isJsonObject, type Json, type JsonObject, sameJson } from '../../meta/index.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * A value and its old value before an update: unchanged parts may stay, even if the schema has become stricter. Cf. upstream cel/common
 * CorrelatedObject.
 */
export class Correlation {
  readonly value: Json;
  readonly old: Json;
  readonly #node: SchemaNode;
  readonly #children = new Map<string | number, Correlation | undefined>();
  /** Items of the old list by key, created on demand. */
  #oldItems: ReadonlyMap<string, JsonObject> | undefined;
  #same: boolean | undefined;

  constructor(value: Json, old: Json, node: SchemaNode) {
    this.value = value;
    this.old = old;
    this.#node = node;
  }

  /** The member of this name; undefined unless both values and the schema have it. */
  key(name: string): Correlation | undefined {
    return this.#child(name, () => {
      if (!isJsonObject(this.value) || !isJsonObject(this.old)) return undefined;
      if (!Object.hasOwn(this.value, name) || !Object.hasOwn(this.old, name)) return undefined;
      const node = this.#node.properties.get(name) ?? this.#node.additional;
      if (typeof node !== 'object') return undefined;
      return new Correlation(this.value[name] ?? null, this.old[name] ?? null, node);
    });
  }

  /** The item at this index; only items of associative lists can be correlated. */
  index(at: number): Correlation | undefined {
    return this.#child(at, () => {
      const { listType, listMapKeys, items } = this.#node;
      if (listType !== 'map' || !items || !Array.isArray(this.value) || !Array.isArray(this.old)) return undefined;
      const item = (this.value as readonly Json[])[at];
      if (!isJsonObject(item)) return undefined;
      const wanted = formatKeys(item, listMapKeys);
      this.#oldItems ??= indexByKey(this.old as readonly Json[], listMapKeys);
      const before = this.#oldItems.get(wanted);
      return before === undefined ? undefined : new Correlation(item, before, items);
    });
  }

  /** Whether nothing changed here. Values without a schema count as changed. */
  get same(): boolean {
    this.#same ??= this.#compare();
    return this.#same;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (isJsonObject(value) && isJsonObject(old)) {
      const names = Object.keys(value);
      return names.length === Object.keys(old).length && names.every((name) => this.key(name)?.same ?? false);
    }
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      if (this.#node.listType !== 'map') return sameJson(value, old);
      return value.every((_, at) => this.index(at)?.same ?? false);
    }
    return sameJson(value, old);
  }

  #child(key: string | number, make: () => Correlation | undefined): Correlation | undefined {
    if (!this.#children.has(key)) this.#children.set(key, make());
    return this.#children.get(key);
  }
}

function indexByKey(items: readonly Json[], keys: readonly string[]): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    const key = formatKeys(item, keys);
    if (!found.has(key)) found.set(key, item);
  }
  return found;
}

function formatKeys(item: JsonObject, keys: readonly string[]): string {
  return JSON.stringify(
    keys.map((key) => item[key] ?? null),
    (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part),
  );
}
