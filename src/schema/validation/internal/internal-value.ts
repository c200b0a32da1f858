import { isJsonObject, type Json, type JsonObject } from '../../../meta/index.ts';
import { emptyMap } from '../../normalize/empty-collections.ts';
import type { Field, ScalarType, Schema, StructSchema } from '../../schema.ts';
import { isEmptyValue } from '../accessors.ts';
import { kindTypeOf } from '../kind-validator.ts';
import { capitalized, internalNames, internalOrders, securityFields } from './internal-names.ts';

/**
 * Converts a value to the internal struct of its kind as Go prints it: with Go field names, in the order of that struct, with all fields.
 * Errors show values in this form. Types of meta have no internal form and stay JSON.
 */
export function toInternalValue(value: Json | undefined, schema: Schema): Json {
  if (value === undefined || value === null) return zeroOf(schema);
  switch (schema.form) {
    case 'list':
      return Array.isArray(value) ? value.map((item: Json) => toInternalValue(item, schema.items)) : value;
    case 'map':
      return isJsonObject(value) ? sortedMap(value, schema.values) : value;
    case 'struct':
      return isJsonObject(value) ? structValue(value, schema) : value;
    default:
      return value;
  }
}

/** The value of an unset field. */
function zeroOf(schema: Schema): Json {
  if (schema.form === 'struct') return structValue({}, schema);
  return schema.form === 'scalar' ? zeroScalars[schema.type] : null;
}

const zeroScalars: Readonly<Record<ScalarType, Json>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: null,
  Time: null,
  MicroTime: null,
  Duration: '0s',
  Quantity: '0',
  IntOrString: 0,
  any: null,
};

function sortedMap(value: JsonObject, values: Schema): JsonObject {
  const names = Object.keys(value).sort();
  if (names.length === 0) return emptyMap;
  return Object.fromEntries(names.map((name) => [name, toInternalValue(value[name], values)]));
}

const objectMeta = 'meta/v1.ObjectMeta';

function structValue(value: JsonObject, schema: StructSchema): JsonObject {
  if (schema.name.startsWith('meta/')) return metaValue(value, schema);
  const type = kindTypeOf(schema);
  const out: Record<string, Json> = {};
  for (const field of fieldsInOrder(schema, type)) {
    if (field.schema.form === 'struct' && field.schema.name === objectMeta && field.name === 'metadata') {
      // Embedded, so its members belong to the struct itself.
      Object.assign(out, toInternalValue(value['metadata'] ?? {}, field.schema));
    } else out[nameOf(field, type)] = fieldValue(value[field.name], field);
  }
  return type === 'core.PodSpec' ? moveSecurityFields(out, value) : out;
}

function fieldValue(value: Json | undefined, field: Field): Json {
  return (value === undefined || value === null) && field.pointer ? null : toInternalValue(value, field.schema);
}

function nameOf({ name }: Field, type: string): string {
  return internalNames[`${type}.${name}`] ?? internalNames[name] ?? capitalized(name);
}

function fieldsInOrder(schema: StructSchema, type: string): readonly Field[] {
  const order = internalOrders[type];
  if (!order) return schema.fields;
  return order.flatMap((name) => schema.byName.get(name) ?? []);
}

/** A meta type as JSON: members in order, zero values omitted. */
function metaValue(value: JsonObject, schema: StructSchema): JsonObject {
  return Object.fromEntries(
    schema.fields.flatMap((field) => {
      const own = value[field.name];
      if (own === undefined || isEmptyValue(own)) return field.always && !field.omitZero ? [[field.name, zeroOf(field.schema)]] : [];
      return [[field.name, field.schema.form === 'map' ? toInternalValue(own, field.schema) : own]];
    }),
  );
}

/** Moves the host namespaces of a pod to its security context. */
function moveSecurityFields(spec: Record<string, Json>, value: JsonObject): JsonObject {
  const context = spec['SecurityContext'];
  const shared = Object.fromEntries(securityFields.map(([name, zero]) => [capitalized(name), value[name] ?? zero]));
  return isJsonObject(context) ? { ...spec, SecurityContext: { ...shared, ...context } } : spec;
}
