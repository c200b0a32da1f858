import { isJsonObject, type JsonObject } from '../../../meta/index.ts';

/** An object without what the server writes at every change (cf. kubectl issue 1242). */
export function withoutNoise(object: JsonObject): JsonObject {
  return withoutMetadata(object, ['managedFields', 'resourceVersion', 'generation']);
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  return withoutMetadata(object, ['managedFields']);
}

/** What two objects could have in common: nothing of their metadata that only the server sets. */
export function withoutIdentity(object: JsonObject): JsonObject {
  return withoutMetadata(object, serverMetadata);
}

/** What a user writes of an object: no status, and nothing of its metadata that only the server sets. */
export function withoutServerFields(object: JsonObject): JsonObject {
  const { status: _, ...rest } = object;
  return withoutIdentity(rest);
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

function withoutMetadata(object: JsonObject, names: readonly string[]): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return object;
  return { ...object, metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !names.includes(name))) };
}
