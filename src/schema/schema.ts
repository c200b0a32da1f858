/**
 * The schema of a value, used to decode, default, validate, merge, apply and encode it. Built from the catalog for built-in kinds, and from
 * a definition's OpenAPI schema for custom ones.
 */
export type Schema = ScalarSchema | ListSchema | MapSchema | StructSchema | UntypedSchema;

/** `any`: neither a list nor an object; apply treats strings with a format in definitions this way. */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'Time'
  | 'MicroTime'
  | 'Duration'
  | 'Quantity'
  | 'IntOrString'
  | 'any';

export interface ScalarSchema {
  readonly form: 'scalar';
  readonly type: ScalarType;
  readonly enum?: readonly string[];
}

/** `map`: items have identities by `keys`; `set`: by value; `atomic`: the list is one value. */
export type ListTopology = 'atomic' | 'set' | 'map';

export interface ListSchema {
  readonly form: 'list';
  readonly items: Schema;
  readonly topology: ListTopology;
  /** Associative-list keys; empty unless `map`. */
  readonly keys: readonly string[];
  /** In protobuf a separate message around the repeated field. */
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
  /** Has kind and apiVersion (part 2.1), as the first two of `fields`. */
  readonly typeMeta: boolean;
  /** JSON fields in encoding order, with inlined ones flattened. */
  readonly fields: readonly Field[];
  /** Fields by exact JSON name. */
  readonly byName: ReadonlyMap<string, Field>;
  /** Fields in protobuf: inlined structs are separate messages. */
  readonly messageFields: readonly Field[];
  readonly union?: Union;
  /** Schema of undeclared members, where they are allowed (custom resources). */
  readonly others?: Schema;
}

/** A value without a declared schema. `deduced`: maps are granular, lists atomic; `atomic`: one value. */
export interface UntypedSchema {
  readonly form: 'untyped';
  readonly topology: 'atomic' | 'deduced';
  /** The type in the catalog: RawExtension, FieldsV1, JSON, … */
  readonly type: string;
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  /** A Go pointer: absent differs from zero. */
  readonly pointer: boolean;
  /** In OpenAPI's `required`. */
  readonly required: boolean;
  /** Without omitempty: written even when zero. */
  readonly always: boolean;
  /** A struct with omitzero: omitted when all its fields are zero. */
  readonly omitZero: boolean;
  /** Protobuf field number; 0 when the field is not in protobuf. */
  readonly number: number;
  /** A struct whose JSON fields are inlined in the parent. Only in `messageFields`. */
  readonly inlined: boolean;
  /** The default in OpenAPI. */
  readonly default: unknown;
  /** The list-type or map-type extension; absent when `schema` has the default topology. */
  readonly declared?: DeclaredTopology;
  /** Patch strategies for strategic merge. */
  readonly patchStrategies: readonly PatchStrategy[];
  readonly patchMergeKey: string | undefined;
  /** A plain `$ref` in OpenAPI v3 (a property without documentation). */
  readonly plainRef: boolean;
}

/** Creates an optional pointer field that is not in protobuf. */
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
  /** May differ from the schema's form: the details of a Status declare a list type. */
  readonly extension: 'list-type' | 'map-type';
  readonly topology: ListTopology | 'granular';
}

export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

export interface Union {
  readonly discriminator: string;
  /** JSON field → its discriminator value. */
  readonly fields: Readonly<Record<string, string>>;
}
