import { isJsonObject, type JsonObject, withoutManagedFields } from '../meta/index.ts';

/** An object, a list or a table, none of whose objects says who owns which of its fields. */
export function withoutAnyManagedFields(object: JsonObject): JsonObject {
  const { items, rows } = object;
  return {
    ...withoutManagedFields(object),
    ...(Array.isArray(items) ? { items: items.map((item) => (isJsonObject(item) ? withoutManagedFields(item) : item)) } : {}),
    ...(Array.isArray(rows) ? { rows: rows.map(rowOmitted) } : {}),
  };
}

function rowOmitted(row: JsonObject): JsonObject {
  return isJsonObject(row['object']) ? { ...row, object: withoutManagedFields(row['object']) } : row;
}
