import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { compilePattern, MatchLimitError, type Pattern, PatternError } from '../../regexp/index.ts';

/** Limits on a value, named as in OpenAPI; undefined when absent. */
export interface Limits {
  readonly maximum: number | undefined;
  readonly minimum: number | undefined;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
}

/**
 * One node of a definition's schema (`openAPIV3Schema`), parsed once. Extensions have short names here, independent of the product's
 * prefix.
 */
export interface SchemaNode extends Limits {
  /** The node as sent. */
  readonly source: JsonObject;
  /** Whether the node has a type, a description and a format at most. */
  readonly isPlain: boolean;
  /** Empty when absent. */
  readonly type: string;
  readonly format: string;
  readonly nullable: boolean;
  /** Undefined when absent; a null default counts as absent. */
  readonly default: Json | undefined;
  readonly exclusiveMaximum: boolean;
  readonly exclusiveMinimum: boolean;
  readonly pattern: string;
  /** Whether a text matches the pattern; undefined for an invalid pattern. */
  matches(text: string): boolean | undefined;
  readonly enum: readonly Json[] | undefined;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** `additionalProperties`: a schema, or whether undeclared members are allowed; undefined when absent. */
  readonly additional: SchemaNode | boolean | undefined;
  readonly items: SchemaNode | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  readonly preservesUnknown: boolean;
  readonly intOrString: boolean;
  readonly embedded: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
  /** `validations`, with the product's names. */
  readonly rules: readonly JsonObject[];
  /** Features of this node or its descendants, outside of combinations: walks for one feature skip values without it. */
  readonly contains: SchemaFeatures;
}

export interface SchemaFeatures {
  readonly defaults: boolean;
  readonly embedded: boolean;
  /** Sets and associative lists. */
  readonly uniqueItems: boolean;
  /** CEL validation rules. */
  readonly rules: boolean;
}

/** Cache of parsed schemas: validation of a definition and serving it share them. */
const cache = new Map<string, WeakMap<JsonObject, SchemaNode>>();

/** Parses a schema; `prefix` is that of the product's extensions (`x-kubernetes-`). */
export function readSchemaNode(written: JsonObject, prefix: string): SchemaNode {
  const ofPrefix = cache.get(prefix) ?? new WeakMap<JsonObject, SchemaNode>();
  cache.set(prefix, ofPrefix);
  const node = ofPrefix.get(written) ?? new SchemaReader(prefix).read(written);
  ofPrefix.set(written, node);
  return node;
}

const noNodes: readonly SchemaNode[] = [];
const noProperties: ReadonlyMap<string, SchemaNode> = new Map();
const noFeatures: SchemaFeatures = { defaults: false, embedded: false, uniqueItems: false, rules: false };

/** Extension names of a product, computed once per schema: it may have many nodes. */
const extensionNames = (prefix: string) => ({
  listType: `${prefix}list-type`,
  listMapKeys: `${prefix}list-map-keys`,
  mapType: `${prefix}map-type`,
  embedded: `${prefix}embedded-resource`,
  rules: `${prefix}validations`,
  preservesUnknown: `${prefix}preserve-unknown-fields`,
  intOrString: `${prefix}int-or-string`,
});

const plainMembers: ReadonlySet<string> = new Set(['type', 'description', 'format']);

/** Fast path: most nodes have a type, a description and a format only. */
function isPlain(written: JsonObject): boolean {
  for (const name in written) if (!plainMembers.has(name)) return false;
  return true;
}

class SchemaReader {
  readonly #names: ReturnType<typeof extensionNames>;
  #empty: SchemaNode | undefined;

  constructor(prefix: string) {
    this.#names = extensionNames(prefix);
  }

  read(written: JsonObject): SchemaNode {
    if (!isPlain(written)) return this.#readAll(written);
    this.#empty ??= this.#readAll({});
    return { ...this.#empty, source: written, isPlain: true, type: textOf(written['type']), format: textOf(written['format']) };
  }

  #readAll(written: JsonObject): SchemaNode {
    const names = this.#names;
    const pattern = textOf(written['pattern']);
    const given = written['additionalProperties'];
    const properties = this.#properties(written['properties']);
    const additional = typeof given === 'boolean' ? given : this.#optional(given);
    const items = this.#optional(written['items']);
    const listType = optionalText(written[names.listType]);
    const embedded = written[names.embedded] === true;
    const rules = listOf(written[names.rules]).filter(isJsonObject);
    const ownDefault = written['default'] ?? undefined;
    return {
      maximum: readLimit(written['maximum']),
      minimum: readLimit(written['minimum']),
      multipleOf: readLimit(written['multipleOf']),
      maxLength: readLimit(written['maxLength']),
      minLength: readLimit(written['minLength']),
      maxItems: readLimit(written['maxItems']),
      minItems: readLimit(written['minItems']),
      maxProperties: readLimit(written['maxProperties']),
      minProperties: readLimit(written['minProperties']),
      source: written,
      isPlain: false,
      type: textOf(written['type']),
      format: textOf(written['format']),
      nullable: written['nullable'] === true,
      default: ownDefault,
      exclusiveMaximum: written['exclusiveMaximum'] === true,
      exclusiveMinimum: written['exclusiveMinimum'] === true,
      pattern,
      matches: pattern === '' ? matchesAlways : createMatcher(pattern),
      enum: Array.isArray(written['enum']) ? listOf(written['enum']) : undefined,
      required: textsOf(written['required']),
      properties,
      additional,
      items,
      allOf: this.#all(written['allOf']),
      anyOf: this.#all(written['anyOf']),
      oneOf: this.#all(written['oneOf']),
      not: this.#optional(written['not']),
      preservesUnknown: written[names.preservesUnknown] === true,
      intOrString: written[names.intOrString] === true,
      embedded,
      listType,
      listMapKeys: textsOf(written[names.listMapKeys]),
      mapType: optionalText(written[names.mapType]),
      rules,
      contains: featuresOf(
        { defaults: ownDefault !== undefined, embedded, uniqueItems: listType === 'set' || listType === 'map', rules: rules.length > 0 },
        properties,
        items,
        typeof additional === 'object' ? additional : undefined,
      ),
    };
  }

  #optional(value: Json | undefined): SchemaNode | undefined {
    return isJsonObject(value) ? this.read(value) : undefined;
  }

  #all(value: Json | undefined): readonly SchemaNode[] {
    if (!Array.isArray(value)) return noNodes;
    return listOf(value)
      .filter(isJsonObject)
      .map((one) => this.read(one));
  }

  #properties(value: Json | undefined): ReadonlyMap<string, SchemaNode> {
    if (!isJsonObject(value)) return noProperties;
    const properties = new Map<string, SchemaNode>();
    for (const name of Object.keys(value)) {
      const property = value[name];
      if (property !== undefined) properties.set(name, this.read(objectOf(property)));
    }
    return properties;
  }
}

function featuresOf(
  own: SchemaFeatures,
  properties: ReadonlyMap<string, SchemaNode>,
  items: SchemaNode | undefined,
  additional: SchemaNode | undefined,
): SchemaFeatures {
  let { defaults, embedded, uniqueItems, rules } = own;
  const add = ({ contains }: SchemaNode): void => {
    defaults ||= contains.defaults;
    embedded ||= contains.embedded;
    uniqueItems ||= contains.uniqueItems;
    rules ||= contains.rules;
  };
  for (const one of properties.values()) add(one);
  if (items) add(items);
  if (additional) add(additional);
  return defaults || embedded || uniqueItems || rules ? { defaults, embedded, uniqueItems, rules } : noFeatures;
}

function readLimit(value: Json | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

const matchesAlways = (): boolean => true;

/** Compiles the pattern on first use. A text that would take too long does not match. */
function createMatcher(source: string): SchemaNode['matches'] {
  let pattern: Pattern | 'invalid' | undefined;
  return (text) => {
    pattern ??= compileIfValid(source) ?? 'invalid';
    if (pattern === 'invalid') return undefined;
    try {
      return pattern.test(text);
    } catch (error) {
      if (error instanceof MatchLimitError) return false;
      throw error;
    }
  };
}

function compileIfValid(source: string): Pattern | undefined {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function optionalText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : noValues;
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? listOf(value).filter((one) => typeof one === 'string') : noTexts;
}

const noTexts: readonly string[] = [];
const noValues: readonly Json[] = [];

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
