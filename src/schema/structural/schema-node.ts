import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { compilePattern, MatchLimitError, type Pattern, PatternError } from '../../regexp/index.ts';
import { membersOf } from './members.ts';

/** Limits on a value, as OpenAPI names them; absent where there is none. */
export interface Limits {
  readonly maximum?: number;
  readonly minimum?: number;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly maxProperties?: number;
  readonly minProperties?: number;
}

/**
 * One place of a definition's schema (`openAPIV3Schema`), read once. Extensions go by their own names here, whatever the product
 * calls them on the wire.
 */
export interface SchemaNode extends Limits {
  /** As it was written. */
  readonly written: JsonObject;
  /** Empty when it has none. */
  readonly type: string;
  readonly format: string;
  readonly nullable: boolean;
  /** Undefined when there is none: a default of null is none either. */
  readonly default: Json | undefined;
  readonly exclusiveMaximum: boolean;
  readonly exclusiveMinimum: boolean;
  readonly pattern: string;
  /** Whether a text fits the pattern; undefined for a pattern that is none. */
  matches(text: string): boolean | undefined;
  readonly enum: readonly Json[] | undefined;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** Of members that are no properties: their schema, or whether there may be any; undefined when nothing is said. */
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
  /** `validations`, in the product's names. */
  readonly rules: readonly JsonObject[];
}

/** Reads a schema; `prefix` is what the product's extensions begin with (`x-kubernetes-`). */
export function readSchemaNode(written: JsonObject, prefix: string): SchemaNode {
  const read = (value: Json | undefined): SchemaNode | undefined => (isJsonObject(value) ? readSchemaNode(value, prefix) : undefined);
  const readAll = (name: string): readonly SchemaNode[] => listOf(written[name]).flatMap((one) => read(one) ?? []);
  const extension = (name: string): Json | undefined => written[prefix + name];
  const additional = written['additionalProperties'];
  const pattern = textOf(written['pattern']);
  return {
    ...limitsOf(written),
    written,
    type: textOf(written['type']),
    format: textOf(written['format']),
    nullable: written['nullable'] === true,
    default: written['default'] ?? undefined,
    exclusiveMaximum: written['exclusiveMaximum'] === true,
    exclusiveMinimum: written['exclusiveMinimum'] === true,
    pattern,
    matches: matcher(pattern),
    enum: Array.isArray(written['enum']) ? listOf(written['enum']) : undefined,
    required: textsOf(written['required']),
    properties: new Map(membersOf(objectOf(written['properties'])).map(([name, one]) => [name, readSchemaNode(objectOf(one), prefix)])),
    additional: typeof additional === 'boolean' ? additional : read(additional),
    items: read(written['items']),
    allOf: readAll('allOf'),
    anyOf: readAll('anyOf'),
    oneOf: readAll('oneOf'),
    not: read(written['not']),
    preservesUnknown: extension('preserve-unknown-fields') === true,
    intOrString: extension('int-or-string') === true,
    embedded: extension('embedded-resource') === true,
    listType: optionalText(extension('list-type')),
    listMapKeys: textsOf(extension('list-map-keys')),
    mapType: optionalText(extension('map-type')),
    rules: listOf(extension('validations')).filter(isJsonObject),
  };
}

const limitNames = [
  'maximum',
  'minimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
] as const;

function limitsOf(written: JsonObject): Limits {
  const found = limitNames.flatMap((name) => {
    const value = written[name];
    return typeof value === 'number' || typeof value === 'bigint' ? [[name, Number(value)] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The pattern is compiled for the first text. A text that would take too long to match does not match. */
function matcher(source: string): SchemaNode['matches'] {
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
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((one) => typeof one === 'string');
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
