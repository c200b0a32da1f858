// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

export interface Event {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly eventTime: string | null;
  readonly series?: EventSeries;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly action?: string;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  readonly regarding: corev1.ObjectReference;
  readonly related?: corev1.ObjectReference;
  readonly note?: string;
  readonly type?: string;
  readonly deprecatedSource: corev1.EventSource;
  readonly deprecatedFirstTimestamp: string | null;
  readonly deprecatedLastTimestamp: string | null;
  readonly deprecatedCount?: number;
}

export interface EventSeries {
  readonly count: number;
  readonly lastObservedTime: string | null;
}
