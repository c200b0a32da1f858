import { isJsonObject, type JsonObject, withoutManagedFields } from '../meta/index.ts';

/** An object, list or table without the managedFields of its objects. */
export function omitManagedFields(object: JsonObject): JsonObject {
  const { items, rows } = object;
  return {
    ...withoutManagedFields(object),
    ...(Array.isArray(items) ? { items: items.map((item) => (isJsonObject(item) ? withoutManagedFields(item) : item)) } : {}),
    ...(Array.isArray(rows) ? { rows: rows.map(omitRowManagedFields) } : {}),
  };
}

function omitRowManagedFields(row: JsonObject): JsonObject {
  return isJsonObject(row['object']) ? { ...row, object: withoutManagedFields(row['object']) } : row;
}
