import {
  finish,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonKind,
  maxStrictErrors,
  type NumberLiterals,
  setMember,
  sortedNamesInSteps,
} from '../../meta/index.ts';
import type { Field, ListSchema, MapSchema, ScalarSchema, Schema, StructSchema } from '../schema.ts';
import { cannotUnmarshal, DecodeError, goItemType, goType, plainType } from './decode-error.ts';
import { checkScalar, zeroOf } from './decode-scalars.ts';
import { emptyMap, type KeptEmpties } from './empties.ts';

/**
 * Told of each unknown field in the order of the members, at most `maxStrictErrors`: `spec.containers[0].bar`, and the same in parts
 * (`.spec`, `.containers`, `[0]`, `.bar`) where the decoder knows them.
 */
export type NoteUnknownField = (path: string, steps?: readonly string[]) => void;

export interface DecodeOptions {
  readonly unknownField?: NoteUnknownField;
  readonly literals?: NumberLiterals;
  /** None, if it is not said. */
  readonly empty?: KeptEmpties;
  /** Takes the steps that fill large maps, to be finished before the object is used; absent: they are filled at once. */
  readonly later?: FillLater;
}

export type FillLater = (steps: Generator<void, void>) => void;

/**
 * What Go's decoding into the typed struct and encoding it again gives: unknown fields gone, zero values left out or written as
 * each field has it, fields in order of declaration, maps in order of key, times and quantities in their own form. Empty lists
 * and maps count as unset unless they are asked for.
 *
 * @throws DecodeError
 */
export type DecodeTyped = (schema: StructSchema, value: JsonObject, options?: DecodeOptions) => JsonObject;

/** A decoder that compiles each schema once; one for a catalog. */
export function createTypedDecoder(): DecodeTyped {
  const compiled = new WeakMap<StructSchema, StructPlan>();
  const planOf = (schema: StructSchema): StructPlan => {
    const known = compiled.get(schema);
    if (known) return known;
    const plan = new StructPlan(schema, planOf);
    compiled.set(schema, plan);
    return plan;
  };
  return (schema, value, options = {}) => {
    const state = new DecodeState(options);
    const result = planOf(schema).decode(value, state);
    if (state.error) throw state.error;
    return result;
  };
}

/** A kind nests itself only in custom resource definitions; nobody needs them deeper. */
const maxDepth = 1_000;

/** Where decoding stands, and what it has found wrong so far. */
class DecodeState {
  readonly #options: DecodeOptions;
  /** Field names down to here, as Go's errors show them. */
  readonly fields: string[] = [];
  /** The same with indexes and map keys, as unknown fields are told. */
  readonly path: string[] = [];
  depth = 0;
  /** The first type mismatch. */
  error: DecodeError | undefined;
  #unknown = 0;

  constructor(options: DecodeOptions) {
    this.#options = options;
  }

  unknown(name: string): void {
    if (!this.#options.unknownField || this.#unknown++ >= maxStrictErrors) return;
    const steps = [...this.path, `.${name}`];
    this.#options.unknownField(steps.join('').slice(1), steps);
  }

  get empty(): KeptEmpties {
    return this.#options.empty ?? 'none';
  }

  fill(steps: Generator<void, void>): void {
    if (this.#options.later) this.#options.later(steps);
    else finish(steps);
  }

  literal(holder: object, key: string | number): string | undefined {
    return this.#options.literals?.get(holder)?.get(key);
  }

  /** `type` is looked up for the one mismatch that is reported: the first, or a fatal one. */
  mismatch(found: string, struct: string, type: () => string, fatal = false): void {
    if (this.error && !fatal) return;
    const error = cannotUnmarshal(found, struct, this.fields, type());
    if (fatal) throw error;
    this.error = error;
  }
}

type PlanOf = (schema: StructSchema) => StructPlan;

/** Undefined is the zero value. */
type Decode = (value: Json, state: DecodeState, holder: object, key: string | number) => Json | undefined;

interface FieldPlan {
  readonly name: string;
  readonly index: number;
  readonly nested: boolean;
  readonly decode: Decode;
  /** What stands for the zero value; undefined leaves the field out. */
  readonly zero: () => Json | undefined;
}

class StructPlan {
  readonly #schema: StructSchema;
  readonly #planOf: PlanOf;
  #fields: readonly FieldPlan[] | undefined;
  #byName: ReadonlyMap<string, FieldPlan> = new Map();
  #zero: JsonObject | undefined;

  constructor(schema: StructSchema, planOf: PlanOf) {
    this.#schema = schema;
    this.#planOf = planOf;
  }

  decode(value: JsonObject, state: DecodeState): JsonObject {
    const fields = this.#compiled();
    if (++state.depth > maxDepth) throw new DecodeError('exceeded max depth');
    const found: (Json | undefined)[] = new Array(fields.length);
    for (const name of Object.keys(value)) {
      const field = this.#byName.get(name);
      if (field) found[field.index] = this.#decodeField(field, value, state);
      else state.unknown(name);
    }
    state.depth--;
    const result: Record<string, Json> = {};
    for (const field of fields) {
      const decoded = found[field.index] ?? field.zero();
      if (decoded !== undefined) result[field.name] = decoded;
    }
    return result;
  }

  /** What is written for a struct that nothing was said of. Shared, so it must not be changed. */
  zero(): JsonObject {
    this.#zero ??= Object.freeze(this.decode({}, new DecodeState({})));
    return this.#zero;
  }

  #decodeField(field: FieldPlan, holder: JsonObject, state: DecodeState): Json | undefined {
    const value = holder[field.name];
    if (value === undefined || value === null) return undefined;
    state.fields.push(field.name);
    if (field.nested) state.path.push(`.${field.name}`);
    const decoded = field.decode(value, state, holder, field.name);
    if (field.nested) state.path.pop();
    state.fields.pop();
    return decoded;
  }

  #compiled(): readonly FieldPlan[] {
    if (this.#fields) return this.#fields;
    const fields = this.#schema.fields.map((field, index) => this.#planField(field, index));
    this.#byName = new Map(fields.map((field) => [field.name, field]));
    this.#fields = fields;
    return fields;
  }

  #planField(field: Field, index: number): FieldPlan {
    const decode = decoderOf(field.schema, { struct: this.#schema.name, field: field.name, goType, planOf: this.#planOf });
    return {
      name: field.name,
      index,
      nested: field.schema.form !== 'scalar' && field.schema.form !== 'untyped',
      decode: tellsEmptyList(field) ? withEmptyList(decode) : keepsZero(field) ? decode : withoutZero(decode),
      zero: zeroFor(field, this.#planOf),
    };
  }
}

/** Lists that are written empty are owned as sent, and an empty managedFields asks for its reset (part 4.6 rule 8). */
function tellsEmptyList({ name, always, schema }: Field): boolean {
  return schema.form === 'list' && (always || name === 'managedFields');
}

/** Pointers are written whatever they point to, structs unless told otherwise. */
function keepsZero(field: Field): boolean {
  return field.pointer || field.always || field.schema.form !== 'scalar' || isValueType(field.schema);
}

/** Go structs that look like scalars in JSON. */
function isValueType(schema: ScalarSchema): boolean {
  return schema.type === 'Time' || schema.type === 'MicroTime' || schema.type === 'Quantity' || schema.type === 'IntOrString';
}

function withEmptyList(decode: Decode): Decode {
  return (value, state, holder, key) =>
    state.empty !== 'none' && Array.isArray(value) && value.length === 0 ? value : decode(value, state, holder, key);
}

function withoutZero(decode: Decode): Decode {
  return (value, state, holder, key) => {
    const decoded = decode(value, state, holder, key);
    return decoded === '' || decoded === 0 || decoded === false ? undefined : decoded;
  };
}

function zeroFor(field: Field, planOf: PlanOf): () => Json | undefined {
  const { schema } = field;
  const absent = (): undefined => undefined;
  const none = (): null => null;
  if (field.pointer) return field.always ? none : absent;
  switch (schema.form) {
    case 'scalar': {
      if (field.omitZero || !(field.always || isValueType(schema))) return absent;
      const zero = zeroOf(schema.type);
      return () => zero;
    }
    case 'struct':
      return field.omitZero ? absent : () => planOf(schema).zero();
    case 'untyped':
      // A RawExtension without content is written as null, being a struct in Go.
      return field.always || schema.type === 'RawExtension' ? none : absent;
    default:
      return field.always ? none : absent;
  }
}

interface Owner {
  /** The struct that declares the field, by its full name. */
  readonly struct: string;
  readonly field: string;
  /** Of the field itself, or of what it holds. */
  readonly goType: typeof goType;
  readonly planOf: PlanOf;
}

/** The owner of what its list or map holds; one within the other has no name of its own. */
function holding(owner: Owner): Owner {
  return { ...owner, goType: owner.goType === goType ? goItemType : plainType };
}

function typeIn(owner: Owner, schema: Schema): string {
  return owner.goType(schema, owner.struct, owner.field);
}

function decoderOf(schema: Schema, owner: Owner): Decode {
  switch (schema.form) {
    case 'scalar':
      return scalarDecoder(schema, owner);
    case 'list':
      return listDecoder(schema, owner);
    case 'map':
      return mapDecoder(schema, owner);
    case 'struct':
      return structDecoder(schema, owner);
    case 'untyped':
      return schema.type === 'JSONSchemaPropsOrBool' ? schemaOrBool : (value) => value;
  }
}

/** The one untyped value that reads itself with an error of its own. */
function schemaOrBool(value: Json, state: DecodeState): Json {
  if (typeof value !== 'boolean' && !isJsonObject(value)) state.error ??= new DecodeError('boolean or JSON schema expected');
  return value;
}

function scalarDecoder(schema: ScalarSchema, owner: Owner): Decode {
  return (value, state, holder, key) => {
    const result = checkScalar(schema.type, value, () => state.literal(holder, key));
    if (result === undefined) return value;
    if (result.ok) return result.value ?? undefined;
    if ('found' in result) state.mismatch(result.found, owner.struct, () => result.type ?? typeIn(owner, schema), result.fatal);
    else if (result.fatal) throw result.error;
    else state.error ??= result.error;
    return undefined;
  };
}

function structDecoder(schema: StructSchema, owner: Owner): Decode {
  return (value, state) => {
    if (isJsonObject(value)) return owner.planOf(schema).decode(value, state);
    state.mismatch(jsonKind(value), owner.struct, () => typeIn(owner, schema));
    return undefined;
  };
}

function listDecoder(schema: ListSchema, owner: Owner): Decode {
  const items = decoderOf(schema.items, holding(owner));
  const zero = elementZero(schema.items, owner.planOf);
  const isStruct = schema.items.form === 'struct';
  return (value, state) => {
    if (!Array.isArray(value)) {
      state.mismatch(jsonKind(value), owner.struct, () => typeIn(owner, schema));
      return undefined;
    }
    if (value.length === 0) return state.empty === 'all' ? value : undefined;
    return value.map((item: Json, index) => {
      // Empty items share one object: a request has space for a million of them.
      if (item === null || (isStruct && isEmptyObject(item))) return zero();
      state.path.push(`[${index}]`);
      const decoded = items(item, state, value, index);
      state.path.pop();
      return decoded ?? zero();
    });
  };
}

function isEmptyObject(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

function mapDecoder(schema: MapSchema, owner: Owner): Decode {
  const values = decoderOf(schema.values, holding(owner));
  const zero = elementZero(schema.values, owner.planOf);
  const isNested = schema.values.form !== 'scalar' && schema.values.form !== 'untyped';
  return (value, state) => {
    if (!isJsonObject(value)) {
      state.mismatch(jsonKind(value), owner.struct, () => typeIn(owner, schema));
      return undefined;
    }
    const keys = Object.keys(value);
    if (keys.length === 0) return state.empty === 'all' ? emptyMap : undefined;
    // Decoded in document order, for the errors; written in order of key, as Go does.
    let isSame = true;
    const decoded = keys.map((key) => {
      const member = value[key];
      if (isNested) state.path.push(`.${key}`);
      const one = (member === null || member === undefined ? undefined : values(member, state, value, key)) ?? zero();
      if (isNested) state.path.pop();
      isSame &&= one === member;
      return one;
    });
    if (isSorted(keys)) return isSame ? value : recordOf(keys, decoded);
    if (keys.length >= largeMap) {
      const record: Record<string, Json> = {};
      state.fill(fillInOrder(record, keys, decoded));
      return record;
    }
    if (isSame) return recordOf(keys.sort(), undefined, value);
    const byKey = new Map(keys.map((key, index) => [key, decoded[index] ?? null] as const));
    const sorted = keys.sort();
    return recordOf(
      sorted,
      sorted.map((key) => byKey.get(key) ?? null),
    );
  };
}

/** Maps of more members take some milliseconds to be put in order, which are a step each. */
const largeMap = 10_000;

function* fillInOrder(record: Record<string, Json>, keys: readonly string[], values: readonly Json[]): Generator<void, void> {
  const byKey = new Map<string, Json>();
  for (const [index, key] of keys.entries()) {
    byKey.set(key, values[index] ?? null);
    if (byKey.size % largeMap === 0) yield;
  }
  let count = 0;
  for (const key of yield* sortedNamesInSteps(keys)) {
    setMember(record, key, byKey.get(key) ?? null);
    if (++count % largeMap === 0) yield;
  }
}

/** Members from their values in the order of the names, or from another record. */
function recordOf(names: readonly string[], values: readonly Json[] | undefined, from?: JsonObject): JsonObject {
  const record: Record<string, Json> = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? '';
    setMember(record, name, (values ? values[index] : from?.[name]) ?? null);
  }
  return record;
}

function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return false;
  return true;
}

/** What a null among items or members stands for. */
function elementZero(schema: Schema, planOf: PlanOf): () => Json {
  switch (schema.form) {
    case 'scalar': {
      // Empty bytes come back from storage as empty, not as none.
      const zero = schema.type === 'bytes' ? '' : zeroOf(schema.type);
      return () => zero;
    }
    case 'struct':
      return () => planOf(schema).zero();
    default:
      return () => null;
  }
}
