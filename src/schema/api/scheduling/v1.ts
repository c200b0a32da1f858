// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** A named priority of pods. */
export interface PriorityClass {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Priority of pods of the class, at most 1000000000. Higher values are scheduled first. Immutable. */
  readonly value: number;
  /** Whether the class applies to pods without a class. Only one class can be the default. Default: false. */
  readonly globalDefault?: boolean;
  /** Explains to users when to use the class. */
  readonly description?: string;
  /** Whether pods of the class may evict pods of lower priority: PreemptLowerPriority or Never. Immutable. Default: PreemptLowerPriority. */
  readonly preemptionPolicy?: string;
}
