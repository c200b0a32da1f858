import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

/** When an Event was last seen, in ms. */
export function lastSeenMs({ series, lastTimestamp, eventTime, metadata }: Decoded<corev1.Event>): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata?.creationTimestamp ?? '');
}
