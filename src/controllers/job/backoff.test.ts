import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { noFailures, podFinishedMs, remainingBackoffMs, updateBackoff } from './backoff.ts';

const at = (second: number): string => new Date(second * 1000).toISOString();
const ended = (second: number): corev1.Pod =>
  ({
    metadata: { creationTimestamp: at(0) },
    spec: {},
    status: { containerStatuses: [{ name: 'c', state: { terminated: { finishedAt: at(second) } } }] },
  }) as unknown as corev1.Pod;

test.each([
  [[], [], { failures: 2, lastFailureMs: 5_000 }],
  [[], [ended(9), ended(7)], { failures: 4, lastFailureMs: 9_000 }],
  [[ended(8)], [], noFailures],
  [[ended(8)], [ended(7), ended(8)], noFailures],
  [[ended(8)], [ended(7), ended(9), ended(10)], { failures: 2, lastFailureMs: 10_000 }],
])('counts failures after the last success', (succeeded, failed, expected) => {
  expect(updateBackoff({ failures: 2, lastFailureMs: 5_000 }, succeeded, failed)).toEqual(expected);
});

test.each([
  [0, 0],
  [1, 10_000],
  [2, 20_000],
  [3, 40_000],
  [6, 320_000],
  [7, 600_000],
  [5_000, 600_000],
])('%i failures delay by %i ms', (failures, delayMs) => {
  expect(remainingBackoffMs({ failures, lastFailureMs: 1_000 }, 1_000)).toBe(delayMs);
  expect(remainingBackoffMs({ failures, lastFailureMs: 1_000 }, 3_000_000)).toBe(0);
});

test.each([
  [{ containerStatuses: [{ name: 'c', state: { terminated: { finishedAt: at(3) } } }] }, {}, 3_000],
  [
    {
      containerStatuses: [{ name: 'c', state: { running: {} } }],
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at(4) }],
    },
    {},
    4_000,
  ],
  [{}, { deletionTimestamp: at(40), deletionGracePeriodSeconds: 30 }, 10_000],
  [{}, {}, 1_000],
])('a pod with %j ended', (status, metadata, expected) => {
  const pod = { metadata: { creationTimestamp: at(1), ...metadata }, spec: {}, status };
  expect(podFinishedMs(pod as unknown as corev1.Pod)).toBe(expected);
});
