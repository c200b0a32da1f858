import { isJsonObject, type JsonObject } from '../meta/index.ts';

/** An object, a list or a table, none of whose objects says who owns which of its fields. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { items, rows } = object;
  return {
    ...ownOmitted(object),
    ...(Array.isArray(items) ? { items: items.map((item) => (isJsonObject(item) ? ownOmitted(item) : item)) } : {}),
    ...(Array.isArray(rows) ? { rows: rows.map(rowOmitted) } : {}),
  };
}

function rowOmitted(row: JsonObject): JsonObject {
  return isJsonObject(row['object']) ? { ...row, object: ownOmitted(row['object']) } : row;
}

function ownOmitted(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
