import { isJsonObject, type Json, type JsonObject } from '../../../meta/index.ts';
import { isJsonArray, sameJson } from '../../json-value.ts';

/**
 * Restores the times of the live managedFields when only times have changed, so that a repeated request writes nothing (cf. apiserver
 * fieldmanager IgnoreManagedFieldsTimestampsTransformer). Returns `live` itself when both are equal.
 */
export function restoreUnchangedTimes<Stored extends JsonObject>(live: Stored, next: Stored): Stored {
  const [before, after] = [entriesOf(live), entriesOf(next)];
  if (before === undefined || after === undefined || before === after || before.length !== after.length) return next;
  if (!after.every((entry, index) => sameJson(withoutTime(entry), withoutTime(before[index] ?? null)))) return next;
  const { metadata } = next;
  const restored = { ...next, metadata: { ...(isJsonObject(metadata) ? metadata : {}), managedFields: before } };
  return sameJson(restored, live) ? live : next;
}

function entriesOf({ metadata }: JsonObject): readonly Json[] | undefined {
  const entries = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  return isJsonArray(entries) && entries.length > 0 ? entries : undefined;
}

function withoutTime(entry: Json): Json {
  if (!isJsonObject(entry)) return entry;
  const { time: _, ...rest } = entry;
  return rest;
}
