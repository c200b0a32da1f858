import { expect, test } from 'vitest';
import type { batchv1, corev1 } from '../../schema/api/index.ts';
import { parseIndexes } from './index-intervals.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';
import { matchSuccessPolicy } from './success-policy.ts';

const pod = (exitCode: number | undefined, conditions: readonly string[] = []): corev1.Pod =>
  ({
    metadata: { name: 'p', namespace: 'n' },
    status: {
      containerStatuses: [{ name: 'c', state: exitCode === undefined ? { running: {} } : { terminated: { exitCode } } }],
      conditions: conditions.map((type) => ({ type, status: 'True' })),
    },
  }) as unknown as corev1.Pod;

const exit = (action: string, operator: string, ...values: number[]): batchv1.PodFailurePolicyRule => ({
  action,
  onExitCodes: { operator, values },
});
const disrupted = (action: string): batchv1.PodFailurePolicyRule => ({
  action,
  onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
});

test.each([
  [[], pod(1), { isCounted: true }],
  [[exit('Ignore', 'In', 3)], pod(3), { isCounted: false, action: 'Ignore' }],
  [[exit('Ignore', 'In', 3)], pod(4), { isCounted: true }],
  [[exit('FailIndex', 'NotIn', 3)], pod(4), { isCounted: true, action: 'FailIndex' }],
  [[exit('FailIndex', 'NotIn', 3)], pod(0), { isCounted: true }],
  [[exit('FailIndex', 'NotIn', 3)], pod(undefined), { isCounted: true }],
  [[exit('Ignore', 'In', 3), exit('Count', 'In', 3, 4)], pod(4), { isCounted: true, action: 'Count' }],
  [
    [disrupted('Ignore'), exit('FailJob', 'In', 42)],
    pod(42),
    {
      isCounted: true,
      action: 'FailJob',
      failJobMessage: 'Container c for pod n/p failed with exit code 42 matching FailJob rule at index 1',
    },
  ],
  [
    [disrupted('FailJob')],
    pod(1, ['DisruptionTarget']),
    { isCounted: true, action: 'FailJob', failJobMessage: 'Pod n/p has condition DisruptionTarget matching FailJob rule at index 0' },
  ],
])('rules %j', (rules, failed, expected) => {
  expect(matchPodFailurePolicy({ rules }, failed)).toEqual(expected);
});

test.each<[readonly batchv1.SuccessPolicyRule[], string, string | undefined]>([
  [[{ succeededCount: 2 }], '0', undefined],
  [[{ succeededCount: 2 }], '0,4', 'Matched rules at index 0'],
  [[{ succeededIndexes: '0-2' }], '0,1', undefined],
  [[{ succeededIndexes: '0-2' }], '0-3', 'Matched rules at index 0'],
  [[{ succeededIndexes: '0-2', succeededCount: 1 }], '2', 'Matched rules at index 0'],
  [[{ succeededIndexes: '9' }, { succeededCount: 1 }], '2', 'Matched rules at index 1'],
  [[{ succeededIndexes: '' }], '2', undefined],
])('success rules %j with %j succeeded', (rules, succeeded, expected) => {
  expect(matchSuccessPolicy({ rules }, 5, parseIndexes(succeeded, 5))).toBe(expected);
});
