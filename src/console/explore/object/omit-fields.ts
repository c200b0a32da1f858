import { isJsonObject, type JsonObject } from '../../../meta/index.ts';

/** Omits the fields that the server changes at every write (cf. kubectl issue 1242). */
export function omitVolatileFields(object: JsonObject): JsonObject {
  return omitMetadata(object, ['managedFields', 'resourceVersion', 'generation']);
}

export function omitManagedFields(object: JsonObject): JsonObject {
  return omitMetadata(object, ['managedFields']);
}

/** Omits server metadata, to compare two objects. */
export function omitServerMetadata(object: JsonObject): JsonObject {
  return omitMetadata(object, serverMetadata);
}

/** Omits the status and server metadata, which users do not write. */
export function omitServerFields(object: JsonObject): JsonObject {
  const { status: _, ...rest } = object;
  return omitServerMetadata(rest);
}

/** The metadata fields that only the server sets. */
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
