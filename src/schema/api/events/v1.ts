// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

/** A report of an event about an object. Deleted after an hour by default. */
export interface Event {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Time of the first occurrence, with microseconds. */
  readonly eventTime: string | null;
  /** Repetitions of the event. Not set for a single one. */
  readonly series?: EventSeries;
  /** Name of the controller that reported the event, such as example.com/controller. */
  readonly reportingController?: string;
  /** Name of the instance of the controller, such as its pod. At most 128 characters. */
  readonly reportingInstance?: string;
  /** What was done with the object, or failed, such as Binding. At most 128 characters. */
  readonly action?: string;
  /** Machine-readable reason, such as FailedScheduling. At most 128 characters. */
  readonly reason?: string;
  /** Object that the event is about. */
  readonly regarding: corev1.ObjectReference;
  /** Further object, for instance the node for an event of a pod. */
  readonly related?: corev1.ObjectReference;
  /** Human-readable description of the event, at most 1024 bytes. */
  readonly note?: string;
  /** Normal for information, or Warning for what may need attention. */
  readonly type?: string;
  /** Component that reported the event, as in the core group. */
  readonly deprecatedSource: corev1.EventSource;
  /** Time at which the event was first reported, as in the core group. */
  readonly deprecatedFirstTimestamp: string | null;
  /** Time at which the event was last reported, as in the core group. */
  readonly deprecatedLastTimestamp: string | null;
  /** How often the event happened, as in the core group. */
  readonly deprecatedCount?: number;
}

/** EventSeries counts repetitions of an event. */
export interface EventSeries {
  /** How often the event happened until lastObservedTime. */
  readonly count: number;
  /** Time of the last occurrence. */
  readonly lastObservedTime: string | null;
}
