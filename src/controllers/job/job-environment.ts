import { type ApiClient, type EventRecorder, hasStatus, keyOf, type ResourceClient } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import { type batchv1, batchv1Jobs, type corev1, corev1Pods } from '../../schema/api/index.ts';
import { Expectations } from '../expectations.ts';
import { PodControl } from '../pods/index.ts';
import type { BackoffRecord } from './backoff.ts';
import { FinalizerExpectations } from './finalizer-expectations.ts';
import type { JobNames } from './names.ts';

export interface JobEnvironmentOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly names: JobNames;
  readonly recorder: EventRecorder;
  /** Reconciles a job again after milliseconds. */
  readonly enqueueAfter: (key: string, ms: number) => void;
}

/** What the reconciliations of all jobs share. */
export class JobEnvironment {
  readonly options: JobEnvironmentOptions;
  readonly jobs: ResourceClient<batchv1.Job>;
  readonly pods: ResourceClient<corev1.Pod>;
  readonly podControl: PodControl;
  readonly expectations: Expectations;
  readonly finalizerExpectations: FinalizerExpectations = new FinalizerExpectations();
  /** By the keys of the jobs. */
  readonly backoffs: Map<string, BackoffRecord> = new Map();
  /** UIDs of finished jobs whose final condition the cache does not show yet. */
  readonly finishedUids: Set<string> = new Set();

  constructor(options: JobEnvironmentOptions) {
    this.options = options;
    this.jobs = options.client.resource(batchv1Jobs);
    this.pods = options.client.resource(corev1Pods);
    this.podControl = new PodControl({ pods: this.pods, recorder: options.recorder });
    this.expectations = new Expectations(options.clock);
  }

  /** Deletes the record of a job that is finished or deleted. */
  forget(key: string): void {
    this.backoffs.delete(key);
  }

  /** Removes the tracking finalizer of a pod, if it has it. @throws ApiError, with 404 when the pod does not exist */
  async removeFinalizer(pod: corev1.Pod): Promise<void> {
    const { finalizer } = this.options.names;
    if (!pod.metadata.finalizers?.includes(finalizer)) return;
    await this.pods.patch(keyOf(pod), 'strategic', { metadata: { '$deleteFromPrimitiveList/finalizers': [finalizer] } });
  }
}

/** Waits for writes and ignores that objects are already deleted. Returns the other errors. */
export async function settleWrites(writes: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const results = await Promise.allSettled(writes);
  return results.flatMap((result) => (result.status === 'rejected' && !hasStatus(result.reason, 404) ? [result.reason] : []));
}
