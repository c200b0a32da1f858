import type { Product } from '../../meta/index.ts';

/** Names of the job controller, with the prefix of the product. */
export interface JobNames {
  /** The finalizer of pods that are not counted yet. */
  readonly finalizer: string;
  /** The label and the annotation with the completion index. */
  readonly completionIndex: string;
  readonly failureCount: string;
  readonly ignoredFailureCount: string;
  /** The value of `managedBy` of jobs that this controller reconciles. */
  readonly manager: string;
}

export function jobNames({ rename }: Pick<Product, 'rename'>): JobNames {
  return {
    finalizer: rename('batch.kubernetes.io/job-tracking'),
    completionIndex: rename('batch.kubernetes.io/job-completion-index'),
    failureCount: rename('batch.kubernetes.io/job-index-failure-count'),
    ignoredFailureCount: rename('batch.kubernetes.io/job-index-ignored-failure-count'),
    manager: rename('kubernetes.io/job-controller'),
  };
}
