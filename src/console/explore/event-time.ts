import { metadataOf } from '../../kubectl/index.ts';
import { isJsonObject, type JsonObject } from '../../meta/index.ts';

/** When an Event was last seen, in ms. */
export function lastSeenMs(event: JsonObject): number {
  const series = isJsonObject(event['series']) ? event['series']['lastObservedTime'] : undefined;
  const time = series ?? event['lastTimestamp'] ?? event['eventTime'] ?? metadataOf(event)['creationTimestamp'];
  return Date.parse(String(time));
}
