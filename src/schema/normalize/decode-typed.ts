import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonKind,
  maxObjectBytes,
  maxStrictErrors,
  type NumberLiterals,
  objectTooLarge,
  runSteps,
  setMember,
  sortNamesInSteps,
} from '../../meta/index.ts';
import type { Field, ListSchema, MapSchema, ScalarSchema, Schema, StructSchema, UntypedSchema } from '../schema.ts';
import { DecodeError, goItemType, goType, unmarshalTypeError, unnamedGoType } from './decode-error.ts';
import { decodeScalar, zeroValueOf } from './decode-scalars.ts';
import { emptyMap, type RetainedEmpties } from './empty-collections.ts';
import { hasSameItems, knownItems, knownMembers } from './known-parts.ts';

/**
 * Called for each unknown field in document order, at most `maxStrictErrors` times: `spec.containers[0].bar`, and the same path in parts
 * (`.spec`, `.containers`, `[0]`, `.bar`) where the decoder has them.
 */
export type OnUnknownField = (path: string, steps?: readonly string[]) => void;

export interface DecodeOptions {
  readonly onUnknownField?: OnUnknownField | undefined;
  readonly literals?: NumberLiterals | undefined;
  /** Default: `none`. */
  readonly retainEmpties?: RetainedEmpties;
  /** A decoded object: parts that the value shares with it are not visited. */
  readonly known?: JsonObject | undefined;
  /** Receives the steps that fill large maps, to be run before the object is used; absent: maps are filled at once. */
  readonly deferFill?: DeferFill | undefined;
}

export type DeferFill = (steps: Generator<void, void>) => void;

/**
 * Decodes into the typed struct and encodes again, like Go: drops unknown fields, omits or writes zero values as each field declares,
 * orders fields by declaration and maps by key, and normalizes times and quantities. Empty lists and maps count as unset unless `empty`
 * retains them. Parts that have this form already are shared with the result, so that they are equal by reference to those of the stored
 * object that an update started from.
 *
 * @throws DecodeError
 */
export type DecodeTyped = (schema: StructSchema, value: JsonObject, options?: DecodeOptions) => JsonObject;

/** Creates a decoder, which compiles each schema once; one per catalog. */
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
    const result = planOf(schema).decode(value, state, options.known);
    if (state.error) throw state.error;
    return result;
  };
}

/**
 * Only custom resource definitions are recursive. The call stack (984 kB) has to hold so many levels in unoptimized code too; therefore
 * the decoders of one level use few frames: loops instead of callbacks.
 */
const maxDepth = 1_000;

/** The field in which an unmarshaler of its own decodes: Go's errors name this field, and none within it. */
interface OuterField {
  readonly state: DecodeState;
  readonly struct: string;
}

/** The position of the decoder, and the problems found so far. */
class DecodeState {
  readonly #options: DecodeOptions;
  /** Field names of the current path, for Go's errors. */
  readonly fields: string[] = [];
  /** The current path with indexes and map keys, for unknown fields. */
  readonly path: string[] = [];
  depth = 0;
  /** The first type mismatch. */
  error: DecodeError | undefined;
  #unknown = 0;
  readonly #outer: OuterField | undefined;

  constructor(options: DecodeOptions, outer?: OuterField) {
    this.#options = options;
    this.#outer = outer;
    if (outer) this.depth = outer.state.depth;
  }

  /** The state for the content of a field whose Go type has an unmarshaler of its own. */
  within(struct: string): DecodeState {
    return new DecodeState(this.#options, { state: this, struct });
  }

  /** Unmarshalers do not pass on that unknown fields are reported. */
  unknown(name: string): void {
    if (this.#outer || !this.#options.onUnknownField || this.#unknown++ >= maxStrictErrors) return;
    const steps = [...this.path, `.${name}`];
    this.#options.onUnknownField(steps.join('').slice(1), steps);
  }

  get empty(): RetainedEmpties {
    return this.#options.retainEmpties ?? 'none';
  }

  fill(steps: Generator<void, void>): void {
    if (this.#options.deferFill) this.#options.deferFill(steps);
    else runSteps(steps);
  }

  literal(holder: object, key: string | number): string | undefined {
    return this.#options.literals?.get(holder)?.get(key);
  }

  /** `type` is evaluated only for the one mismatch that is reported: the first, or a fatal one. */
  mismatch(found: string, struct: string, type: () => string, fatal = false): void {
    if (this.#outer) {
      this.#outer.state.mismatch(found, this.#outer.struct, type, fatal);
      return;
    }
    if (this.error && !fatal) return;
    const error = unmarshalTypeError(found, struct, this.fields, type());
    if (fatal) throw error;
    this.error = error;
  }
}

type PlanOf = (schema: StructSchema) => StructPlan;

/**
 * `known` is the decoded value at this place, if any: the same list, map or struct is not visited. Equal scalars are decoded, since they may
 * be spelled differently. Returns undefined for the zero value.
 */
type Decode = (value: Json, state: DecodeState, holder: object, key: string | number, known: Json | undefined) => Json | undefined;

interface FieldPlan {
  readonly name: string;
  readonly index: number;
  readonly nested: boolean;
  readonly decode: Decode;
  /** The encoded zero value; undefined omits a field that is not set. */
  readonly zero: (() => Json) | undefined;
}

/** A field that is set. */
interface Member {
  readonly field: FieldPlan;
  readonly value: Json;
}

class StructPlan {
  readonly #schema: StructSchema;
  readonly #planOf: PlanOf;
  /** Undefined until the struct is first decoded: its schema may contain itself. */
  #byName: ReadonlyMap<string, FieldPlan> | undefined;
  /** The fields that are encoded although they are not set, in order of declaration. */
  #zeroFields: readonly FieldPlan[] = [];
  #zero: JsonObject | undefined;

  constructor(schema: StructSchema, planOf: PlanOf) {
    this.#schema = schema;
    this.#planOf = planOf;
  }

  decode(value: JsonObject, state: DecodeState, known: Json | undefined): JsonObject {
    const before = knownMembers(known);
    this.#byName ??= this.#compile();
    if (++state.depth > maxDepth) throw new DecodeError('exceeded max depth');
    const members: Member[] = [];
    const names = Object.keys(value);
    let [isInOrder, last] = [true, -1];
    for (const name of names) {
      const field = this.#byName.get(name);
      if (!field) {
        state.unknown(name);
        continue;
      }
      const member = value[name];
      if (member === undefined || member === null) continue;
      state.fields.push(name);
      if (field.nested) state.path.push(`.${name}`);
      const decoded = field.decode(member, state, value, name, before[name]);
      if (field.nested) state.path.pop();
      state.fields.pop();
      if (decoded === undefined) continue;
      members.push({ field, value: decoded });
      isInOrder &&= field.index > last;
      last = field.index;
    }
    state.depth--;
    // Most objects were encoded in order before, and sorting allocates two copies.
    if (!isInOrder) members.sort((a, b) => a.field.index - b.field.index);
    return isInOrder && members.length === names.length && this.#isEncoded(value, members) ? value : this.#encode(members);
  }

  /** Whether encoding the decoded members of a value, which are all of its members in order of declaration, results in an equal value. */
  #isEncoded(value: JsonObject, members: readonly Member[]): boolean {
    for (const { field, value: decoded } of members) if (value[field.name] !== decoded) return false;
    for (const { name } of this.#zeroFields) if (!Object.hasOwn(value, name)) return false;
    return true;
  }

  /** Sets the fields, which are in order of declaration, and writes zero values. Most structs set few of their fields. */
  #encode(members: readonly Member[]): JsonObject {
    const result: Record<string, Json> = {};
    let next = 0;
    for (const field of this.#zeroFields) {
      for (; next < members.length && (members[next]?.field.index ?? 0) <= field.index; next++) setField(result, members[next]);
      if (members[next - 1]?.field !== field && field.zero) result[field.name] = field.zero();
    }
    for (; next < members.length; next++) setField(result, members[next]);
    return result;
  }

  /** The encoding of an empty struct. Shared, so it must not be modified. */
  zero(): JsonObject {
    this.#zero ??= Object.freeze(this.decode({}, new DecodeState({}), undefined));
    return this.#zero;
  }

  #compile(): ReadonlyMap<string, FieldPlan> {
    const fields = this.#schema.fields.map((field, index) => this.#planField(field, index));
    this.#zeroFields = fields.filter(({ zero }) => zero !== undefined);
    return new Map(fields.map((field) => [field.name, field]));
  }

  #planField(field: Field, index: number): FieldPlan {
    const decode = decoderOf(field.schema, {
      schema: this.#schema,
      struct: this.#schema.name,
      field: field.name,
      goType,
      planOf: this.#planOf,
    });
    return {
      name: field.name,
      index,
      nested: field.schema.form !== 'scalar' && field.schema.form !== 'untyped',
      decode: retainsEmptyList(field) ? retainEmptyList(decode) : encodesZero(field) ? decode : omitZero(decode),
      zero: zeroEncoding(field, this.#planOf),
    };
  }
}

function setField(result: Record<string, Json>, member: Member | undefined): void {
  if (member) result[member.field.name] = member.value;
}

/**
 * Whether an empty list is retained: fields without omitempty are owned as sent, and an empty managedFields requests a reset (part 4.6 rule
 * 8).
 */
function retainsEmptyList({ name, always, schema }: Field): boolean {
  return schema.form === 'list' && (always || name === 'managedFields');
}

/** Whether a zero value is encoded, as for pointers, fields without omitempty, and structs. */
function encodesZero(field: Field): boolean {
  return field.pointer || field.always || field.schema.form !== 'scalar' || isValueStruct(field.schema);
}

const valueStructs: ReadonlySet<ScalarSchema['type']> = new Set(['Time', 'MicroTime', 'Duration', 'Quantity', 'IntOrString'] as const);

/** Go structs with a scalar JSON form. */
function isValueStruct(schema: ScalarSchema): boolean {
  return valueStructs.has(schema.type);
}

function retainEmptyList(decode: Decode): Decode {
  return (value, state, holder, key, known) =>
    state.empty !== 'none' && Array.isArray(value) && value.length === 0 ? value : decode(value, state, holder, key, known);
}

function omitZero(decode: Decode): Decode {
  return (value, state, holder, key, known) => {
    const decoded = decode(value, state, holder, key, known);
    return decoded === '' || decoded === 0 || decoded === false ? undefined : decoded;
  };
}

function zeroEncoding(field: Field, planOf: PlanOf): (() => Json) | undefined {
  const { schema } = field;
  const none = (): null => null;
  if (field.pointer) return field.always ? none : undefined;
  switch (schema.form) {
    case 'scalar': {
      if (field.omitZero || !(field.always || isValueStruct(schema))) return undefined;
      const zero = zeroValueOf(schema.type);
      return () => zero;
    }
    case 'struct':
      return field.omitZero ? undefined : () => planOf(schema).zero();
    case 'untyped':
      // A RawExtension is a struct in Go, so without content it is encoded as null.
      return field.always || schema.type === 'RawExtension' ? none : undefined;
    default:
      return field.always ? none : undefined;
  }
}

interface FieldContext {
  /** The struct that declares the field. */
  readonly schema: StructSchema;
  /** Its full name. */
  readonly struct: string;
  readonly field: string;
  /** The Go type of the field, or of its items or values. */
  readonly goType: typeof goType;
  readonly planOf: PlanOf;
}

/** The context of a field's items or values; nested lists and maps have no named type. */
function elementContext(owner: FieldContext): FieldContext {
  return { ...owner, goType: owner.goType === goType ? goItemType : unnamedGoType };
}

function goTypeIn(owner: FieldContext, schema: Schema): string {
  return owner.goType(schema, owner.struct, owner.field);
}

function decoderOf(schema: Schema, owner: FieldContext): Decode {
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
      return untypedDecoder(schema.type, owner);
  }
}

/** The unions of a JSON schema and another type are declared by JSON schemas, and have unmarshalers of their own. */
function untypedDecoder(type: UntypedSchema['type'], owner: FieldContext): Decode {
  switch (type) {
    case 'JSONSchemaPropsOrArray':
      return (value, state) => {
        if (isJsonObject(value)) return decodeNested(value, state, owner);
        if (!Array.isArray(value)) return value;
        return value.length === 0 ? null : value.map((item) => decodeNested(item, state, owner));
      };
    case 'JSONSchemaPropsOrBool':
      return (value, state) => {
        if (isJsonObject(value)) return decodeNested(value, state, owner);
        if (typeof value !== 'boolean') state.error ??= new DecodeError('boolean or JSON schema expected');
        return value;
      };
    case 'JSONSchemaPropsOrStringArray':
      return (value, state) => (isJsonObject(value) ? decodeNested(value, state, owner) : value);
    default:
      return (value) => value;
  }
}

function decodeNested(value: Json, state: DecodeState, { schema, struct, planOf }: FieldContext): Json {
  if (isJsonObject(value)) {
    const nested = state.within(struct);
    const decoded = planOf(schema).decode(value, nested, undefined);
    if (nested.error) state.error ??= nested.error;
    return decoded;
  }
  if (value !== null) state.mismatch(jsonKind(value), struct, () => goType(schema, struct, ''));
  return planOf(schema).zero();
}

function scalarDecoder(schema: ScalarSchema, owner: FieldContext): Decode {
  return (value, state, holder, key) => {
    const result = decodeScalar(schema.type, value, () => state.literal(holder, key));
    if (result === undefined) return value;
    if (result.ok) return result.value ?? undefined;
    if ('found' in result) state.mismatch(result.found, owner.struct, () => result.type ?? goTypeIn(owner, schema), result.fatal);
    else if (result.fatal) throw result.error;
    else state.error ??= result.error;
    return undefined;
  };
}

function structDecoder(schema: StructSchema, owner: FieldContext): Decode {
  return (value, state, _holder, _key, known) => {
    if (value === known) return value;
    if (isJsonObject(value)) return owner.planOf(schema).decode(value, state, known);
    state.mismatch(jsonKind(value), owner.struct, () => goTypeIn(owner, schema));
    return undefined;
  };
}

function listDecoder(schema: ListSchema, owner: FieldContext): Decode {
  const items = decoderOf(schema.items, elementContext(owner));
  const zero = elementZeroEncoding(schema.items, owner.planOf);
  const isStruct = schema.items.form === 'struct';
  return (value, state, _holder, _key, known) => {
    if (value === known) return value;
    if (!Array.isArray(value)) {
      state.mismatch(jsonKind(value), owner.struct, () => goTypeIn(owner, schema));
      return undefined;
    }
    if (value.length === 0) return state.empty === 'all' ? value : undefined;
    checkSize(value.length, 0, zero);
    const before = knownItems(known);
    const decoded: Json[] = [];
    for (const [index, item] of value.entries()) {
      // Empty items share one object: a request may contain a million of them.
      if (item === null || (isStruct && isEmptyObject(item))) {
        decoded.push(zero());
        continue;
      }
      state.path.push(`[${index}]`);
      decoded.push(items(item, state, value, index, before[index]) ?? zero());
      state.path.pop();
    }
    return hasSameItems(decoded, value) ? value : decoded;
  };
}

function isEmptyObject(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

function mapDecoder(schema: MapSchema, owner: FieldContext): Decode {
  const values = decoderOf(schema.values, elementContext(owner));
  const zero = elementZeroEncoding(schema.values, owner.planOf);
  const hasLists = schema.values.form === 'list';
  const decodeMember = (member: Json | undefined, state: DecodeState, holder: object, key: string): Json => {
    // An empty list differs from null where it is a value of a map, which has no omitempty.
    if (hasLists && Array.isArray(member) && member.length === 0) return member;
    return (member === null || member === undefined ? undefined : values(member, state, holder, key, undefined)) ?? zero();
  };
  const isNested = schema.values.form !== 'scalar' && schema.values.form !== 'untyped';
  return (value, state, _holder, _key, known) => {
    if (value === known) return value;
    if (!isJsonObject(value)) {
      state.mismatch(jsonKind(value), owner.struct, () => goTypeIn(owner, schema));
      return undefined;
    }
    const keys = Object.keys(value);
    if (keys.length === 0) return state.empty === 'all' ? emptyMap : undefined;
    checkSize(keys.length, shortestKeyBytes, zero);
    // Decoded in document order, for the errors; written sorted by key, as Go does.
    let isSame = true;
    const decoded: Json[] = [];
    for (const key of keys) {
      const member = value[key];
      if (isNested) state.path.push(`.${key}`);
      const one = decodeMember(member, state, value, key);
      if (isNested) state.path.pop();
      isSame &&= one === member;
      decoded.push(one);
    }
    return sortedRecord(keys, decoded, isSame ? value : undefined, state);
  };
}

/** The decoded members sorted by key; `same` is a record of them in the order of the document, where one exists. */
function sortedRecord(keys: string[], decoded: readonly Json[], same: JsonObject | undefined, state: DecodeState): JsonObject {
  if (isInRecordOrder(keys)) return same ?? createRecord(keys, decoded);
  if (keys.length >= largeMap) {
    const record: Record<string, Json> = {};
    state.fill(fillSorted(record, keys, decoded));
    return record;
  }
  if (same) return createRecord(keys.sort(), undefined, same);
  const byKey = new Map(keys.map((key, index) => [key, decoded[index] ?? null] as const));
  const sorted = keys.sort();
  return createRecord(
    sorted,
    sorted.map((key) => byKey.get(key) ?? null),
  );
}

/** Size of `"abc":`; shorter keys are too few to matter. */
const shortestKeyBytes = 6;

/** Shorter lists and maps are not checked. */
const uncheckedLength = 100_000;

/**
 * Rejects a list or map that exceeds the size of an object even if all its elements are zero values: validation and conversion would block
 * for long before the storage rejects it.
 *
 * @throws StatusError 500
 */
function checkSize(length: number, keyBytes: number, zero: () => Json): void {
  if (length <= uncheckedLength) return;
  // The shortest form of a value that may be null is one digit.
  const elementBytes = JSON.stringify(zero()).replaceAll('null', '0').length + ','.length;
  if (length * (keyBytes + elementBytes) > maxObjectBytes) throw objectTooLarge();
}

/** Larger maps take some milliseconds to sort, so they are filled in steps. */
const largeMap = 10_000;

function* fillSorted(record: Record<string, Json>, keys: readonly string[], values: readonly Json[]): Generator<void, void> {
  const byKey = new Map<string, Json>();
  for (const [index, key] of keys.entries()) {
    byKey.set(key, values[index] ?? null);
    if (byKey.size % largeMap === 0) yield;
  }
  let count = 0;
  for (const key of yield* sortNamesInSteps(keys)) {
    setMember(record, key, byKey.get(key) ?? null);
    if (++count % largeMap === 0) yield;
  }
}

/** Creates a record from values in the order of `names`, or from another record. */
function createRecord(names: readonly string[], values: readonly Json[] | undefined, from?: JsonObject): JsonObject {
  const record: Record<string, Json> = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? '';
    setMember(record, name, (values ? values[index] : from?.[name]) ?? null);
  }
  return record;
}

/** Whether a record of the sorted keys has them in this order: JavaScript enumerates array indexes first, wherever they are set. */
function isInRecordOrder(keys: readonly string[]): boolean {
  let first = 0;
  while (first < keys.length && isArrayIndex(keys[first] ?? '')) first++;
  for (let index = first + 1; index < keys.length; index++) if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return false;
  return true;
}

/** Whether a key is an array index in its canonical form: 0 to 2^32 - 2. */
function isArrayIndex(key: string): boolean {
  const code = key.charCodeAt(0);
  if (!(code >= 0x30 && code <= 0x39) || key.length > 10) return false;
  const index = Number(key) >>> 0;
  return index !== 0xffffffff && String(index) === key;
}

/** The value of a null item or member. */
function elementZeroEncoding(schema: Schema, planOf: PlanOf): () => Json {
  switch (schema.form) {
    case 'scalar': {
      // Empty bytes are stored as empty, not as null.
      const zero = schema.type === 'bytes' ? '' : zeroValueOf(schema.type);
      return () => zero;
    }
    case 'struct':
      return () => planOf(schema).zero();
    default:
      return () => null;
  }
}
