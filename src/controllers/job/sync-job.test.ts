import { expect, test } from 'vitest';
import { ApiClient, type EventRecorder } from '../../client/index.ts';
import { createManualClock } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import type { batchv1, corev1 } from '../../schema/api/index.ts';
import type { ControlledObjects } from '../pods/index.ts';
import { JobEnvironment } from './job-environment.ts';
import { jobNames } from './names.ts';
import { syncJob } from './sync-job.ts';

const key = 'default/j';
const labels = { 'batch.kubernetes.io/controller-uid': 'j' };
const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { namespace: 'default', name: 'j', uid: 'j' },
  spec: {
    parallelism: 1,
    completions: 1,
    backoffLimit: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [] } },
  },
  status: { startTime: '2026-01-01T00:00:00Z', failed: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} },
} as unknown as batchv1.Job;
const counted = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'default',
    name: 'j-a',
    uid: 'a',
    labels,
    finalizers: ['batch.kubernetes.io/job-tracking'],
    ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true }],
  },
  spec: {},
  status: { phase: 'Failed' },
} as unknown as corev1.Pod;

test('a pod is not counted again when the removal of its finalizer is observed while the job is reconciled', async () => {
  const product = productByName('kubernetes');
  const bodies: string[] = [];
  const client = new ApiClient({
    api: async ({ body }) => {
      bodies.push(new TextDecoder().decode(body));
      return { status: 200, headers: [], body: JSON.stringify(job) };
    },
    product,
    signal: new AbortController().signal,
  });
  const environment = new JobEnvironment({
    client,
    clock: createManualClock(),
    names: jobNames(product),
    recorder: { event: () => undefined } as unknown as EventRecorder,
    enqueueAfter: () => undefined,
  });
  environment.finalizerExpectations.expectRemovals(key, ['a']);
  const pods = {
    withOrphans() {
      queueMicrotask(() => environment.finalizerExpectations.removalObserved(key, 'a'));
      return [counted];
    },
  } as unknown as ControlledObjects<corev1.Pod>;
  await syncJob(key, job, pods, environment);
  expect(environment.finalizerExpectations.expected(key)).toEqual(new Set());
  expect(bodies.filter((body) => body.includes('"a"'))).toEqual([]);
});
