import {
  type FeatureGates,
  formatQuantity,
  isJsonObject,
  itemsPerStep,
  type Json,
  type JsonObject,
  normalizeQuantity,
  type Product,
  parseQuantity,
  roundQuantityUp,
  setMember,
} from '../../meta/index.ts';
import defaultsText from '../data/defaults.json?raw';
import type { DeferFill } from '../normalize/index.ts';
import type { Field, Schema, StructSchema } from '../schema.ts';
import { type DefaultingRule, defaultingRules, type RuleContext } from './rules.ts';

/**
 * Sets the default values of unset fields in one version of a kind (part 2.4). Pure: returns the same object when nothing changes, and
 * shares unchanged parts. The object must have been decoded.
 */
export type Defaulter = (schema: StructSchema, object: JsonObject, context: DefaultingContext) => JsonObject;

/** Inputs of defaults besides the object. */
export interface DefaultingContext extends RuleContext {
  /** Receives the steps that set the defaults of long lists, to be run before the object is used; absent: they are set at once. */
  readonly deferFill?: DeferFill;
}

/** Creates a defaulter, which compiles each schema once; one per catalog. */
export function createDefaulter(product: Product, gates: FeatureGates): Defaulter {
  const data = readDefaults(product);
  const rules = defaultingRules(product.names, gates);
  const plans = new WeakMap<StructSchema, StructDefaults>();
  const planOf = (schema: StructSchema): StructDefaults => {
    const known = plans.get(schema);
    if (known) return known;
    const plan = new StructDefaults(schema, { data, rules, planOf });
    plans.set(schema, plan);
    return plan;
  };
  return (schema, object, context) => planOf(schema).apply(object, context);
}

/** Type → field → value. */
type DefaultValues = ReadonlyMap<string, ReadonlyMap<string, Json>>;

function readDefaults(product: Product): DefaultValues {
  const { fields }: { readonly fields: Readonly<Record<string, Json>> } = JSON.parse(product.rename(defaultsText));
  const values = new Map<string, Map<string, Json>>();
  for (const [name, value] of Object.entries(fields)) {
    // Upstream sets these defaults in Jobs only, not in the template of a CronJob; a rule of Job does it.
    if (name.startsWith('batch/v1.JobSpec.')) continue;
    const cut = name.lastIndexOf('.');
    const type = name.slice(0, cut);
    values.set(type, (values.get(type) ?? new Map<string, Json>()).set(name.slice(cut + 1), value));
  }
  return values;
}

interface Sources {
  readonly data: DefaultValues;
  readonly rules: ReadonlyMap<string, DefaultingRule>;
  readonly planOf: (schema: StructSchema) => StructDefaults;
}

type ChildDefaulter = (value: Json, context: DefaultingContext) => Json;

/**
 * The defaults of one struct, from the top like upstream's generated functions: first its own fields, then its rule, then nested values.
 */
class StructDefaults {
  readonly #schema: StructSchema;
  readonly #sources: Sources;
  #plan: Plan | undefined;

  constructor(schema: StructSchema, sources: Sources) {
    this.#schema = schema;
    this.#sources = sources;
  }

  apply(object: JsonObject, context: DefaultingContext): JsonObject {
    this.#plan ??= this.#compile();
    const { values, rules, children } = this.#plan;
    let result = object;
    for (const { name, pointer, value } of values) {
      if (isUnset(result[name], pointer)) result = { ...result, [name]: value };
    }
    for (const rule of rules) result = rule(result, context);
    for (const [name, child] of children) {
      const value = result[name];
      if (value === undefined || value === null) continue;
      const next = child(value, context);
      if (next !== value) result = { ...result, [name]: next };
    }
    return result === object ? object : this.#sortFields(result);
  }

  #sortFields(object: JsonObject): JsonObject {
    const ordered: Record<string, Json> = {};
    for (const { name } of this.#schema.fields) {
      const value = object[name];
      if (value !== undefined) ordered[name] = value;
    }
    return ordered;
  }

  #compile(): Plan {
    const types = structTypesOf(this.#schema);
    const fields = this.#schema.fields;
    const values = types.flatMap((type) =>
      [...(this.#sources.data.get(type) ?? [])].map(([name, value]) => {
        const field = this.#schema.byName.get(name);
        return { name, pointer: field?.pointer ?? false, value };
      }),
    );
    const rules = types.flatMap((type) => this.#sources.rules.get(type) ?? []);
    const children = fields.flatMap((field) => {
      const child = this.#child(field);
      return child ? [[field.name, child] as const] : [];
    });
    return { values, rules, children };
  }

  #child(field: Field): ChildDefaulter | undefined {
    if (isResourceList(field.schema, this.#schema.name)) return roundToMilli;
    return this.#childOf(field.schema);
  }

  #childOf(schema: Schema): ChildDefaulter | undefined {
    switch (schema.form) {
      case 'struct': {
        if (!mayHaveDefaults(schema, this.#sources)) return undefined;
        return (value, context) => (isJsonObject(value) ? this.#sources.planOf(schema).apply(value, context) : value);
      }
      case 'list': {
        const item = this.#childOf(schema.items);
        return item && ((value, context) => (Array.isArray(value) ? defaultItems(value, item, context) : value));
      }
      case 'map': {
        const member = this.#childOf(schema.values);
        return member && ((value, context) => (isJsonObject(value) ? mapMembers(value, (one) => member(one, context)) : value));
      }
      default:
        return undefined;
    }
  }
}

interface Plan {
  readonly values: readonly { readonly name: string; readonly pointer: boolean; readonly value: Json }[];
  readonly rules: readonly DefaultingRule[];
  readonly children: readonly (readonly [name: string, child: ChildDefaulter])[];
}

/** A struct and its inlined structs. */
function structTypesOf(schema: StructSchema): readonly string[] {
  const inlined = schema.messageFields.flatMap((field) =>
    field.inlined && field.schema.form === 'struct' ? structTypesOf(field.schema) : [],
  );
  return [schema.name, ...inlined];
}

/** Whether any nested value of a struct can have a default; most have none, and are not walked. */
function mayHaveDefaults(schema: StructSchema, sources: Sources): boolean {
  const seen = new Set<string>();
  const visit = (type: StructSchema): boolean => {
    if (seen.has(type.name)) return false;
    seen.add(type.name);
    if (structTypesOf(type).some((name) => sources.data.has(name) || sources.rules.has(name))) return true;
    return type.fields.some((field) => {
      if (isResourceList(field.schema, type.name)) return true;
      const inner = innerStruct(field.schema);
      return inner !== undefined && visit(inner);
    });
  };
  return visit(schema);
}

function innerStruct(schema: Schema): StructSchema | undefined {
  if (schema.form === 'struct') return schema;
  if (schema.form === 'list') return innerStruct(schema.items);
  return schema.form === 'map' ? innerStruct(schema.values) : undefined;
}

/** Go's v1.ResourceList. Capacities of resource claims have another type and are not rounded. */
function isResourceList(schema: Schema, owner: string): boolean {
  if (schema.form !== 'map' || schema.values.form !== 'scalar' || schema.values.type !== 'Quantity') return false;
  return owner.startsWith('core/');
}

const simpleQuantity = /^[1-9]\d{0,8}(?:m|k|M|G|T|[KMGT]i)?$/;

/** Rounds up to thousandths, the finest unit. */
function roundToMilli(value: Json): Json {
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (amount) => {
    if (typeof amount !== 'string' || simpleQuantity.test(amount)) return amount;
    const quantity = parseQuantity(amount);
    const rounded = roundQuantityUp(quantity, -3);
    return rounded === quantity ? amount : normalizeQuantity(formatQuantity(rounded));
  });
}

function isUnset(value: Json | undefined, pointer: boolean): boolean {
  if (value === undefined || value === null) return true;
  if (pointer) return false;
  return value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

function defaultItems(list: readonly Json[], item: ChildDefaulter, context: DefaultingContext): readonly Json[] {
  if (context.deferFill && list.length > itemsPerStep) {
    const filled = [...list];
    context.deferFill(fillItems(filled, (one) => item(one, context)));
    return filled;
  }
  const changed = list.map((one) => item(one, context));
  return changed.every((one, index) => one === list[index]) ? list : changed;
}

function* fillItems(list: Json[], change: (item: Json) => Json): Generator<void, void> {
  for (const [index, item] of list.entries()) {
    list[index] = change(item);
    if (index % itemsPerStep === itemsPerStep - 1) yield;
  }
}

function mapMembers(object: JsonObject, change: (value: Json) => Json): JsonObject {
  let changed: Record<string, Json> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    const next = change(value);
    if (next === value) continue;
    changed ??= { ...(object as Record<string, Json>) };
    setMember(changed, key, next);
  }
  return changed ?? object;
}
