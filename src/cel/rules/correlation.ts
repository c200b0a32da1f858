import { isJsonObject, sameJson } from '../../meta/index.ts';
import { type SchemaNode, valueSchema } from '../schema/node.ts';

/** A value with its old value. */
interface CorrelatedValues {
  readonly schema: SchemaNode;
  readonly value: unknown;
  readonly old: unknown;
}

/**
 * Correlates values with their old values in an update, for transition rules and ratcheting (cf. k8s.io/apiserver pkg/cel/common
 * CorrelatedObject).
 */
export class Correlation {
  readonly #at: CorrelatedValues | undefined;
  /** The nearest correlated ancestor of an uncorrelatable value. */
  readonly #above: CorrelatedValues | undefined;

  private constructor(at: CorrelatedValues | undefined, above: CorrelatedValues | undefined) {
    this.#at = at;
    this.#above = above;
  }

  static root(schema: SchemaNode, value: unknown, old: unknown): Correlation {
    return new Correlation(old === undefined || old === null ? undefined : { schema, value, old }, undefined);
  }

  /** The element of an older list with map keys that has the keys of `item`. */
  static correlateByKeys(schema: SchemaNode, old: unknown, item: unknown): unknown {
    if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return undefined;
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    const wanted = keysOf(item, keys);
    return wanted === undefined ? undefined : old.find((one) => keysOf(one, keys) === wanted);
  }

  key(name: string): Correlation {
    if (!this.#at) return this;
    // Both objects were converted to the same version, so their original apiVersion and kind are unknown.
    if (!this.#above && (name === 'apiVersion' || name === 'kind')) return new Correlation(undefined, undefined);
    return new Correlation(correlateKey(this.#at, name), this.#at);
  }

  index(index: number): Correlation {
    return this.#at ? new Correlation(correlateIndex(this.#at, index), this.#at) : this;
  }

  withoutCorrelation(): Correlation {
    return new Correlation(undefined, this.#above);
  }

  isUnchanged(): boolean {
    const pair = this.#at ?? this.#above;
    return pair !== undefined && isUnchangedValue(pair);
  }
}

function keysOf(item: unknown, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item) || keys.length === 0) return undefined;
  const values = keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
  const scalar = values.every((value) => value !== undefined && value !== null && typeof value !== 'object');
  return scalar ? values.map((value) => `${typeof value} ${value}`).join('\0') : undefined;
}

function correlateKey({ schema, value, old }: CorrelatedValues, name: string): CorrelatedValues | undefined {
  const within = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : valueSchema(schema);
  if (!within || !isJsonObject(value) || !isJsonObject(old)) return undefined;
  return Object.hasOwn(value, name) && Object.hasOwn(old, name) ? { schema: within, value: value[name], old: old[name] } : undefined;
}

function correlateIndex({ schema, value, old }: CorrelatedValues, index: number): CorrelatedValues | undefined {
  const item = Array.isArray(value) ? value[index] : undefined;
  const correlated = Correlation.correlateByKeys(schema, old, item);
  return correlated === undefined || !schema.items ? undefined : { schema: schema.items, value: item, old: correlated };
}

/** Lists with map keys may be reordered. */
function isUnchangedValue(pair: CorrelatedValues): boolean {
  const { schema, value, old } = pair;
  if (Array.isArray(value) && Array.isArray(old) && schema['x-kubernetes-list-type'] === 'map') {
    return value.length === old.length && value.every((_, i) => isSame(correlateIndex(pair, i)));
  }
  if (!isJsonObject(value) || !isJsonObject(old)) return sameJson(value, old);
  const names = Object.keys(value);
  return names.length === Object.keys(old).length && names.every((name) => isSame(correlateKey(pair, name)));
}

function isSame(pair: CorrelatedValues | undefined): boolean {
  return pair !== undefined && isUnchangedValue(pair);
}
