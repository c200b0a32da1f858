import { expect, test } from 'vitest';
import { parseTime } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { podWith, readyStatus } from '../pods/pod.test-support.ts';
import { podsToDelete } from './pods-to-delete.ts';
import { calculateStatus, isStatusChanged } from './status.ts';

const now = '2026-01-01T00:01:00Z';
const nowMs = parseTime(now);

function replicaSet(replicas: number, status: appsv1.ReplicaSetStatus, minReadySeconds = 0): appsv1.ReplicaSet {
  return {
    kind: 'ReplicaSet',
    apiVersion: 'apps/v1',
    metadata: { namespace: 'default', name: 'web', uid: 'rs', generation: 2 },
    spec: { replicas, minReadySeconds, selector: null, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [] } } },
    status,
  };
}

const ready = (since: string, labels = { app: 'web' }): corev1.Pod => podWith({ metadata: { labels }, status: readyStatus(since) });
const failed = { type: 'ReplicaFailure', status: 'True', lastTransitionTime: now };
const other = { type: 'Other', status: 'True', lastTransitionTime: null };

test('counts pods; numbers of 0 are absent', () => {
  const pods = [ready('2026-01-01T00:00:00Z'), ready('2026-01-01T00:00:59Z', { app: 'other' }), podWith()];
  expect(calculateStatus(replicaSet(3, { replicas: 0, observedGeneration: 1 }, 10), pods, undefined, nowMs)).toEqual({
    replicas: 3,
    fullyLabeledReplicas: 1,
    readyReplicas: 2,
    availableReplicas: 1,
    observedGeneration: 1,
  });
  expect(calculateStatus(replicaSet(3, { replicas: 0 }), [], undefined, nowMs)).toEqual({ replicas: 0 });
});

test.each([
  ['adds the failure of a creation', 2, [other], 'a', [other, { ...failed, reason: 'FailedCreate', message: 'a' }]],
  ['adds the failure of a deletion', 0, undefined, 'a', [{ ...failed, reason: 'FailedDelete', message: 'a' }]],
  ['does not change a failure', 2, [{ ...failed, message: 'before' }], 'a', [{ ...failed, message: 'before' }]],
  ['removes a failure', 2, [failed, other], undefined, [other]],
  ['leaves no empty conditions', 2, [failed], undefined, undefined],
])('%s', (_, replicas, conditions, message, expected) => {
  const object = replicaSet(replicas, { replicas: 1, ...(conditions ? { conditions } : {}) });
  const failure = message === undefined ? undefined : new Error(message);
  expect(calculateStatus(object, [podWith()], failure, nowMs).conditions).toEqual(expected);
});

test.each([
  ['nothing', { replicas: 1, observedGeneration: 2 }, { replicas: 1, readyReplicas: 0 }, false],
  ['the generation', { replicas: 1, observedGeneration: 1 }, { replicas: 1 }, true],
  ['a number', { replicas: 1, observedGeneration: 2 }, { replicas: 1, readyReplicas: 1 }, true],
  ['a condition', { replicas: 1, observedGeneration: 2 }, { replicas: 1, conditions: [failed] }, true],
])('writes when %s changes', (_, status, next, expected) => {
  expect(isStatusChanged(replicaSet(1, status), next)).toBe(expected);
});

test('deletes pods of the nodes with most related pods first', () => {
  const on = (nodeName: string, name: string): corev1.Pod => podWith({ metadata: { name }, spec: { nodeName } });
  const pods = [on('n1', 'a'), on('n2', 'b'), on('n1', 'c')];
  const failedPod = podWith({ spec: { nodeName: 'n1' }, status: { phase: 'Failed' } });
  const related = [...pods, on('n2', 'd'), on('n2', 'e'), failedPod, failedPod];
  const surplus = { relatedPods: related, nowMs, costAnnotation: 'cost' };
  const names = (count: number) => podsToDelete(pods, { ...surplus, count }).map(({ metadata }) => metadata.name);
  expect([names(1), names(2), names(3)]).toEqual([['b'], ['b', 'a'], ['a', 'b', 'c']]);
});
