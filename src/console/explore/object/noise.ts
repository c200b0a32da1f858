import { isJsonObject, type JsonObject } from '../../../meta/index.ts';

/** An object without what the server writes at every change (cf. kubectl issue 1242). */
export function omitVolatileFields(object: JsonObject): JsonObject {
  return omitMetadata(object, ['managedFields', 'resourceVersion', 'generation']);
}

export function omitManagedFields(object: JsonObject): JsonObject {
  return omitMetadata(object, ['managedFields']);
}

/** What two objects could have in common: nothing of their metadata that only the server sets. */
export function omitServerMetadata(object: JsonObject): JsonObject {
  return omitMetadata(object, serverMetadata);
}

/** What a user writes of an object: no status, and nothing of its metadata that only the server sets. */
export function omitServerFields(object: JsonObject): JsonObject {
  const { status: _, ...rest } = object;
  return omitServerMetadata(rest);
}

/** Members of the metadata that the server alone sets. */
export const serverMetadata: readonly string[] = [
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
];

function omitMetadata(object: JsonObject, names: readonly string[]): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return object;
  return { ...object, metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !names.includes(name))) };
}
