import { Base64Error, base64UrlToBytes, checkBase64, DurationError, isJsonObject, parseDuration, sameJson } from '../../meta/index.ts';
import { parseTimestamp } from '../functions/times.ts';
import { equalResults } from '../values/equality.ts';
import { type ListKind, ListValue } from '../values/list.ts';
import { EntriesMap, MapValue } from '../values/map.ts';
import { Duration, Failure, isFailure, noSuchOverload, OpaqueValue, type Result, type Value } from '../values/value.ts';
import { escapeName, unescapeName } from './escape.ts';
import { isEmbedded, type SchemaNode, valueSchema, withTypeAndMeta } from './node.ts';

/** Converts JSON by its schema; a failure when it does not match (cf. k8s.io/apiserver pkg/cel/common UnstructuredToVal). */
export function schemaValueOf(json: unknown, schema: SchemaNode): Result {
  if (json === null || json === undefined) return schema.nullable ? null : invalid('got null for schema with nullable=false');
  if (schema['x-kubernetes-int-or-string']) return intOrStringOf(json);
  switch (schema.type) {
    case 'object':
      return objectOf(json, schema);
    case 'array':
      return listOf(json, schema);
    case 'string':
      return textOf(json, schema.format);
    case 'number':
      return floatOf(json);
    case 'integer':
      return wholeNumber(json) ?? invalid(`expected int, got ${goType(json)}`);
    case 'boolean':
      return typeof json === 'boolean' ? json : invalid(`expected bool, got ${goType(json)}`);
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] ? new PreservedValue(json) : invalidTypeFailure(schema.type ?? '');
  }
}

function intOrStringOf(json: unknown): Result {
  if (typeof json === 'string') return json;
  return wholeNumber(json) ?? invalid('expected XIntOrString value to be either a string or integer');
}

function floatOf(json: unknown): Result {
  return typeof json === 'number' || typeof json === 'bigint' ? Number(json) : invalid(`expected float, got ${goType(json)}`);
}

/** Converts JSON without a schema. */
export function plainValueOf(json: unknown): Value {
  if (json === undefined || json === null) return null;
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
  if (Array.isArray(json)) return ListValue.of(json.map(plainValueOf));
  if (isJsonObject(json)) {
    const members = Object.entries(json).filter(([, value]) => value !== undefined);
    return EntriesMap.of(members.map(([name, value]) => [name, plainValueOf(value)] as const));
  }
  return json as Value;
}

function invalid(why: string): Failure {
  return new Failure(`invalid data, ${why}`);
}

function mismatchFailure(what: string, type: string): Failure {
  return invalid(`expected ${what} for the provided schema with type=${type}`);
}

function invalidTypeFailure(type: string): Failure {
  const kinds = 'object, array, number, integer, boolean or string';
  const extensions = 'x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true';
  return new Failure(`invalid type, expected ${kinds}, or no type with ${extensions}, got ${type}`);
}

function goType(json: unknown): string {
  if (typeof json === 'boolean') return 'bool';
  if (typeof json === 'string') return 'string';
  if (Array.isArray(json)) return '[]interface {}';
  if (wholeNumber(json) !== undefined) return 'int64';
  return typeof json === 'number' ? 'float64' : 'map[string]interface {}';
}

function wholeNumber(json: unknown): bigint | undefined {
  if (typeof json === 'bigint') return json;
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : undefined;
}

function textOf(text: unknown, format: string | undefined): Result {
  if (typeof text !== 'string') return invalid(`expected string, got ${goType(text)}`);
  switch (format) {
    case 'duration':
      return durationOf(text);
    case 'date':
      return (
        (/^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined) ??
        new Failure(`Invalid date formatted string ${text}`)
      );
    case 'date-time':
      return parseTimestamp(text) ?? parseTimestamp(`${text}Z`) ?? new Failure(`Invalid date-time formatted string ${text}`);
    case 'byte':
      return bytesOf(text);
    default:
      return text;
  }
}

function durationOf(text: string): Result {
  try {
    return new Duration(parseDuration(text));
  } catch (error) {
    if (error instanceof DurationError)
      return longDuration(text) ?? new Failure(`Invalid duration ${text}: unable to parse ${text} as duration`);
    throw error;
  }
}

const longUnits: readonly (readonly [spelling: RegExp, nanos: bigint])[] = [
  [/^(?:ns|nano\w*)$/i, 1n],
  [/^(?:us|µs|micro\w*)$/i, 1_000n],
  [/^(?:ms|milli\w*)$/i, 1_000_000n],
  [/^(?:s|sec\w*)$/i, 1_000_000_000n],
  [/^(?:m|min\w*)$/i, 60_000_000_000n],
  [/^(?:h|hr|hour\w*)$/i, 3_600_000_000_000n],
  [/^(?:d|day\w*)$/i, 86_400_000_000_000n],
  [/^(?:w|wk|week\w*)$/i, 604_800_000_000_000n],
];

/** `3 days 2 hours`. */
function longDuration(text: string): Duration | undefined {
  let total: bigint | undefined;
  for (const [, count = '', unit = ''] of text.matchAll(/(?<!\d)(\d+)\s*([a-zµ]+)/gi)) {
    const nanos = longUnits.find(([spelling]) => spelling.test(unit))?.[1];
    if (nanos !== undefined) total = (total ?? 0n) + BigInt(count) * nanos;
  }
  return total === undefined ? undefined : new Duration(total);
}

/** Decodes base64 with the URL alphabet, as upstream does for this format. */
function bytesOf(text: string): Result {
  try {
    checkBase64(text, 'url');
  } catch (error) {
    if (error instanceof Base64Error) return new Failure(`Invalid byte formatted string ${text}: ${error.message}`);
    throw error;
  }
  return base64UrlToBytes(text);
}

function objectOf(json: unknown, schema: SchemaNode): Result {
  if (!isJsonObject(json)) return mismatchFailure('a map', 'object');
  return new SchemaObject(json, isEmbedded(schema) ? withTypeAndMeta(schema) : schema);
}

function listOf(elements: unknown, schema: SchemaNode): Result {
  if (!Array.isArray(elements)) return mismatchFailure('an array', 'array');
  const { items } = schema;
  if (!items) return new Failure('invalid array type, expected Items with a non-empty Schema');
  return ListValue.lazy(elements.length, (index) => schemaValueOf(elements[index], items), listKindOf(schema));
}

function listKindOf(schema: SchemaNode): ListKind {
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (type === 'map') return { kind: 'map', keys: keys.map((key) => escapeName(key) ?? key) };
  return { kind: type === 'set' ? 'set' : 'plain' };
}

/** A value without a schema; supports only comparison. */
class PreservedValue extends OpaqueValue {
  readonly typeName = 'unknown';
  readonly #json: unknown;

  constructor(json: unknown) {
    super();
    this.#json = json;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof PreservedValue && sameJson(this.#json, other.#json);
  }
}

/** An object or map with a schema. Fields without a schema are inaccessible, but compared. */
class SchemaObject extends MapValue {
  readonly #json: Readonly<Record<string, unknown>>;
  readonly #schema: SchemaNode;
  readonly #known = new Map<string, Result>();

  constructor(json: Readonly<Record<string, unknown>>, schema: SchemaNode) {
    super();
    this.#json = json;
    this.#schema = schema;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  get keys(): readonly Value[] {
    const visible = Object.keys(this.#json).filter((name) => this.#schemaOf(name));
    return this.#schema.properties ? visible.map((name) => escapeName(name) ?? name) : visible;
  }

  #schemaOf(name: string): SchemaNode | undefined {
    const { properties } = this.#schema;
    if (properties) return Object.hasOwn(properties, name) ? properties[name] : undefined;
    return valueSchema(this.#schema);
  }

  find(key: Value): Result | undefined {
    if (typeof key !== 'string') return isFailure(key as Result) ? key : noSuchOverload();
    const isObject = this.#schema.properties !== undefined;
    const name = isObject ? unescapeName(key) : key;
    if (name === undefined || !Object.hasOwn(this.#json, name)) return undefined;
    const json = this.#json[name];
    const schema = this.#schemaOf(name);
    // A null field counts as absent; a null map entry does not.
    if (!schema || (isObject && json === null)) return undefined;
    let value = this.#known.get(name);
    if (value === undefined) {
      value = schemaValueOf(json, schema);
      this.#known.set(name, value);
    }
    return value;
  }

  override equals(other: MapValue): boolean | Failure {
    if (this.size !== other.size) return false;
    for (const name of Object.keys(this.#json)) {
      const same = this.#schemaOf(name) ? this.#sameField(name, other) : this.#samePreserved(name, other);
      if (same !== true) return same;
    }
    return true;
  }

  #sameField(name: string, other: MapValue): boolean | Failure {
    const [own, theirs] = [this.find(name), other.find(name)];
    if (own === undefined || theirs === undefined) return own === theirs;
    return equalResults(own, theirs);
  }

  #samePreserved(name: string, other: MapValue): boolean | Failure {
    if (!(other instanceof SchemaObject)) return noSuchOverload();
    return !Object.hasOwn(other.#json, name) || sameJson(this.#json[name], other.#json[name]);
  }
}
