import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { batchv1, corev1 } from '../../schema/api/index.ts';
import { noFailures } from './backoff.ts';
import { formatIndexes } from './index-intervals.ts';
import { JobState } from './job-state.ts';
import { jobNames } from './names.ts';
import { planCreations } from './plan-creations.ts';
import { indexedPrefix, podFromJob } from './pod-from-job.ts';

const names = jobNames(productByName('kubernetes'));
const nowMs = Date.UTC(2026, 0, 1, 1);

const jobOf = (spec: object = {}, status: object = {}): batchv1.Job =>
  ({
    kind: 'Job',
    apiVersion: 'batch/v1',
    metadata: { name: 'j', uid: 'u' },
    spec: {
      completions: 4,
      parallelism: 4,
      completionMode: 'Indexed',
      template: { metadata: {}, spec: { containers: [{ name: 'c' }] } },
      ...spec,
    },
    status,
  }) as unknown as batchv1.Job;

interface PodGiven {
  readonly phase?: string;
  readonly failures?: number;
  /** Seconds before now at which the containers ended. */
  readonly ended?: number;
  readonly isCounted?: boolean;
}

const podOf = (index: number, { phase = 'Running', failures = 0, ended, isCounted = false }: PodGiven = {}): corev1.Pod => {
  const finishedAt = ended === undefined ? undefined : new Date(nowMs - ended * 1000).toISOString();
  const annotations = { [names.completionIndex]: `${index}`, [names.failureCount]: `${failures}` };
  return {
    metadata: { name: `j-${index}`, uid: `${index}-${failures}-${phase}`, annotations, finalizers: isCounted ? [] : [names.finalizer] },
    spec: {},
    status: { phase, containerStatuses: [{ name: 'c', state: finishedAt ? { terminated: { exitCode: 1, finishedAt } } : {} }] },
  } as unknown as corev1.Pod;
};

const stateOf = (job: batchv1.Job, pods: readonly corev1.Pod[]): JobState =>
  new JobState(job, pods, { names, backoff: noFailures, removedFinalizers: new Set() });

test.each<[string, batchv1.Job, readonly corev1.Pod[], { succeeded: string; failed?: string; next: readonly number[]; waitMs?: number }]>([
  ['starts', jobOf(), [], { succeeded: '', next: [0, 1, 2, 3] }],
  ['continues', jobOf({}, { completedIndexes: '0' }), [podOf(2), podOf(1, { phase: 'Succeeded' })], { succeeded: '0,1', next: [3] }],
  [
    'ignores indexes that it lost',
    jobOf({ completions: 2 }, { completedIndexes: '1,3' }),
    [podOf(3, { phase: 'Succeeded' })],
    { succeeded: '1', next: [0] },
  ],
  [
    'fails an index at its limit',
    jobOf({ backoffLimitPerIndex: 1 }),
    [podOf(0, { phase: 'Failed', failures: 1, ended: 1 }), podOf(1)],
    { succeeded: '', failed: '0', next: [2, 3] },
  ],
  [
    'waits before it replaces a failed pod',
    jobOf({ backoffLimitPerIndex: 3, completions: 1 }),
    [podOf(0, { phase: 'Failed', failures: 1, ended: 5 })],
    { succeeded: '', failed: '', next: [], waitMs: 15_000 },
  ],
  [
    'replaces a failed pod after the wait',
    jobOf({ backoffLimitPerIndex: 3, completions: 1 }),
    [podOf(0, { phase: 'Failed', failures: 1, ended: 21 })],
    { succeeded: '', failed: '', next: [0] },
  ],
])('a job %s', (_, job, pods, { succeeded, failed, next, waitMs = 0 }) => {
  const state = stateOf(job, pods);
  expect(formatIndexes(state.succeededIndexes)).toBe(succeeded);
  expect(state.failedIndexes && formatIndexes(state.failedIndexes)).toBe(failed);
  expect(planCreations(state, 4, nowMs)).toEqual({ indexes: next, waitMs });
});

test('the replacement of a failed pod counts the failures of its index', () => {
  const state = stateOf(jobOf({ backoffLimitPerIndex: 3 }), [podOf(0, { phase: 'Failed', failures: 1, ended: 99 })]);
  expect(state.indexed?.failureAnnotations(state.podsToReplace.get(0))).toEqual({ [names.failureCount]: '2' });
  const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }];
  const ignoring = stateOf(jobOf({ backoffLimitPerIndex: 3, podFailurePolicy: { rules } }), [podOf(0, { phase: 'Failed', ended: 99 })]);
  const annotations = ignoring.indexed?.failureAnnotations(ignoring.podsToReplace.get(0));
  expect(annotations).toEqual({ [names.failureCount]: '0', [names.ignoredFailureCount]: '1' });
});

test('pods with a repeated or an invalid index are surplus', () => {
  const state = stateOf(jobOf(), [podOf(0), podOf(0, { failures: 1 }), podOf(7), podOf(1)]);
  const { surplus, single } = state.indexed?.splitSurplus(state.activePods) ?? {};
  expect(surplus?.map(({ metadata }) => metadata.name).sort()).toEqual(['j-0', 'j-7']);
  expect(single?.map(({ metadata }) => metadata.name)).toEqual(['j-0', 'j-1']);
});

test('reads the completion index of a pod', () => {
  expect(podFromJob(jobOf(), names, { index: 3, annotations: {} })).toMatchObject({
    metadata: {
      generateName: 'j-3-',
      labels: { [names.completionIndex]: '3' },
      annotations: { [names.completionIndex]: '3' },
      finalizers: [names.finalizer],
    },
    spec: { hostname: 'j-3', containers: [{ env: [{ name: 'JOB_COMPLETION_INDEX' }] }] },
  });
  expect(indexedPrefix('j'.repeat(63), 12)).toBe(`${'j'.repeat(54)}-12-`);
});
