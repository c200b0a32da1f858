/**
 * What is known of a value's shape: enough to decode, default, validate, merge, apply and encode it.
 * Built from the catalog for built-in kinds and from a definition's OpenAPI schema for custom ones.
 */
export type Schema = ScalarSchema | ListSchema | MapSchema | StructSchema | UntypedSchema;

/** `any`: no list and no object; in definitions' schemas a text with a format, which apply takes for that. */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'Time'
  | 'MicroTime'
  | 'Quantity'
  | 'IntOrString'
  | 'any';

export interface ScalarSchema {
  readonly form: 'scalar';
  readonly type: ScalarType;
  readonly enum?: readonly string[];
}

/** `map`: items are told apart by `keys`; `set`: by their value; `atomic`: the list is one value. */
export type ListTopology = 'atomic' | 'set' | 'map';

export interface ListSchema {
  readonly form: 'list';
  readonly items: Schema;
  readonly topology: ListTopology;
  /** Fields that tell items apart; empty unless `map`. */
  readonly keys: readonly string[];
  /** In protobuf a message of its own around the repeated field. */
  readonly wrapped: boolean;
}

export interface MapSchema {
  readonly form: 'map';
  readonly values: Schema;
  readonly topology: 'atomic' | 'granular';
}

export interface StructSchema {
  readonly form: 'struct';
  /** `core/v1.PodSpec`. */
  readonly name: string;
  readonly topology: 'atomic' | 'granular';
  /** Has kind and apiVersion (part 2.1). They are the first two of `fields`. */
  readonly typeMeta: boolean;
  /** JSON fields in the order in which they are written, inlined ones flattened. */
  readonly fields: readonly Field[];
  /** The field of this exact JSON name. */
  readonly byName: ReadonlyMap<string, Field>;
  /** Fields as protobuf sees them: inlined structs are messages of their own. */
  readonly messageFields: readonly Field[];
  readonly union?: Union;
  /** Of members that are not declared, where there may be any (custom resources). */
  readonly others?: Schema;
}

/** Values without a declared shape. `deduced`: maps are granular, lists atomic; `atomic`: one value. */
export interface UntypedSchema {
  readonly form: 'untyped';
  readonly topology: 'atomic' | 'deduced';
  /** The catalog's name of it: RawExtension, FieldsV1, JSON, … */
  readonly type: string;
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  /** Absent differs from zero (a Go pointer). */
  readonly pointer: boolean;
  /** In OpenAPI's `required`. */
  readonly required: boolean;
  /** Written even when zero. */
  readonly always: boolean;
  /** A struct left out when all of it is zero. */
  readonly omitZero: boolean;
  /** Protobuf number; 0 when it is not in protobuf. */
  readonly number: number;
  /** A struct whose JSON fields stand in the parent. Only in `messageFields`. */
  readonly inlined: boolean;
  /** The default that OpenAPI shows. */
  readonly default: unknown;
  /** Its list-type or map-type extension; absent when there is none and `schema` has the default. */
  readonly declared?: DeclaredTopology;
  /** How strategic merge treats it. */
  readonly patchStrategies: readonly PatchStrategy[];
  readonly patchMergeKey: string | undefined;
  /** A plain `$ref` in OpenAPI v3 (a property without documentation). */
  readonly plainRef: boolean;
}

/** A field of which nothing more is said: it may be absent, which differs from zero, and no protobuf carries it. */
export function plainField(name: string, schema: Schema): Field {
  return {
    name,
    schema,
    pointer: true,
    required: false,
    always: false,
    omitZero: false,
    number: 0,
    inlined: false,
    default: undefined,
    patchStrategies: [],
    patchMergeKey: undefined,
    plainRef: false,
  };
}

export interface DeclaredTopology {
  /** Not always the one that fits the schema: the details of a Status declare a list type. */
  readonly extension: 'list-type' | 'map-type';
  readonly topology: ListTopology | 'granular';
}

export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

export interface Union {
  readonly discriminator: string;
  /** JSON field → the discriminator's value for it. */
  readonly fields: Readonly<Record<string, string>>;
}
