// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface ImageReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ImageReviewSpec;
  readonly status: ImageReviewStatus;
}

export interface ImageReviewContainerSpec {
  readonly image?: string;
}

export interface ImageReviewSpec {
  readonly containers?: readonly ImageReviewContainerSpec[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly namespace?: string;
}

export interface ImageReviewStatus {
  readonly allowed: boolean;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}
