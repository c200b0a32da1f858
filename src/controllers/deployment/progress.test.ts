import { expect, test } from 'vitest';
import { parseTime } from '../../meta/index.ts';
import { podWith } from '../pods/pod.test-support.ts';
import { type Condition, newCondition, reasons, withCondition } from './conditions.ts';
import { deploymentWith, setWith } from './deployment.test-support.ts';
import { deadlineCheckMs, rolloutStatus } from './progress.ts';
import { areOldPodsRunning } from './sync-deployment.ts';

const start = '2026-01-01T00:00:00Z';
const nowMs = parseTime('2026-01-01T00:00:30Z');
const now = '2026-01-01T00:00:30Z';
const limited = { progressDeadlineSeconds: 10 };

const progressing = (reason: string, status: 'True' | 'False' | 'Unknown' = 'True', message = ''): Condition =>
  newCondition('Progressing', status, reason, message, parseTime(start));
const shown = (conditions: readonly Condition[] = []) => conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);

const counts = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
const available = 'Available True MinimumReplicasAvailable';
const unavailable = 'Available False MinimumReplicasUnavailable';

test.each([
  ['complete', limited, {}, setWith('new', 3), [], [available, 'Progressing True NewReplicaSetAvailable']],
  ['without deadline', {}, { conditions: [progressing(reasons.updated)] }, setWith('new', 3), [], [available]],
  [
    'with more updated pods',
    limited,
    { conditions: [progressing(reasons.created)] },
    setWith('new', 3, { availableReplicas: 0 }),
    [],
    [unavailable, 'Progressing True ReplicaSetUpdated'],
  ],
  [
    'with fewer old pods',
    limited,
    { replicas: 5, updatedReplicas: 2 },
    setWith('new', 2, { availableReplicas: 0, readyReplicas: 0 }),
    [setWith('old', 2, { availableReplicas: 0, readyReplicas: 0 })],
    [unavailable, 'Progressing True ReplicaSetUpdated'],
  ],
  [
    'without progress since the deadline',
    limited,
    { ...counts, conditions: [progressing(reasons.updated)] },
    setWith('new', 3, { availableReplicas: 0 }),
    [],
    [unavailable, 'Progressing False ProgressDeadlineExceeded'],
  ],
  [
    'without progress before the deadline',
    { progressDeadlineSeconds: 60 },
    { ...counts, conditions: [progressing(reasons.updated)] },
    setWith('new', 3, { availableReplicas: 0 }),
    [],
    ['Progressing True ReplicaSetUpdated', unavailable],
  ],
  [
    'that was complete and lost pods',
    limited,
    { ...counts, conditions: [progressing(reasons.complete)] },
    setWith('new', 3, { availableReplicas: 1 }),
    [],
    ['Progressing True NewReplicaSetAvailable', unavailable],
  ],
])('the status of a deployment %s', (_, spec, status, newSet, oldSets, expected) => {
  expect(shown(rolloutStatus(deploymentWith(spec, status), { newSet, oldSets }, nowMs).conditions)).toEqual(expected);
});

test('numbers of a rollout', () => {
  const sets = { newSet: setWith('new', 2, { readyReplicas: 1, availableReplicas: 0 }), oldSets: [setWith('old', 2)] };
  expect(rolloutStatus(deploymentWith({}, { collisionCount: 1 }), sets, nowMs)).toMatchObject({
    observedGeneration: 2,
    replicas: 4,
    updatedReplicas: 2,
    readyReplicas: 3,
    availableReplicas: 2,
    unavailableReplicas: 2,
    collisionCount: 1,
  });
  const empty = rolloutStatus(deploymentWith({ replicas: 0 }), { newSet: undefined, oldSets: [] }, nowMs);
  expect(Object.keys(empty)).toEqual(['observedGeneration', 'conditions']);
});

test('shows the failure of the new set rather than that of an old one', () => {
  const failing = (name: string) =>
    setWith(name, 1, {
      conditions: [{ type: 'ReplicaFailure', status: 'True', lastTransitionTime: start, reason: 'FailedCreate', message: name }],
    });
  const status = rolloutStatus(deploymentWith(), { newSet: failing('new'), oldSets: [failing('old')] }, nowMs);
  expect(status.conditions?.at(-1)).toEqual({
    type: 'ReplicaFailure',
    status: 'True',
    lastUpdateTime: start,
    lastTransitionTime: start,
    reason: 'FailedCreate',
    message: 'new',
  });
  const recovered = rolloutStatus(deploymentWith({}, status), { newSet: setWith('new', 1), oldSets: [] }, nowMs);
  expect(shown(recovered.conditions)).toEqual([unavailable]);
});

test('a condition changes with its status or reason only, and moves to the end', () => {
  const conditions = [progressing('a'), newCondition('Available', 'True', 'b', '', nowMs)];
  expect(withCondition(conditions, newCondition('Progressing', 'True', 'a', 'other', nowMs))).toBe(conditions);
  expect(withCondition(conditions, newCondition('Progressing', 'True', 'c', '', nowMs))).toEqual([
    conditions[1],
    { type: 'Progressing', status: 'True', reason: 'c', message: '', lastUpdateTime: now, lastTransitionTime: start },
  ]);
  expect(withCondition(conditions, newCondition('Progressing', 'False', 'c', '', nowMs))[1]).toMatchObject({ lastTransitionTime: now });
});

test.each([
  ['a second after the deadline', 60, reasons.updated, 31_000],
  ['soon when the deadline passes', 30, reasons.updated, 0],
  ['never after the timeout', 60, reasons.timedOut, undefined],
  ['never without deadline', undefined, reasons.updated, undefined],
])('checks progress %s', (_, seconds, reason, expected) => {
  const spec = seconds === undefined ? {} : { progressDeadlineSeconds: seconds };
  const deployment = deploymentWith(spec, { conditions: [progressing(reason)] });
  expect(deadlineCheckMs(deployment, {}, nowMs)).toBe(expected);
  expect(deadlineCheckMs(deployment, counts, nowMs)).toBeUndefined();
});

test.each([
  ['pods of an old set', [setWith('old', 0)], new Map([['old', [podWith()]]]), true],
  ['terminated pods of an old set', [setWith('old', 0)], new Map([['old', [podWith({ status: { phase: 'Failed' } })]]]), false],
  ['pods of the new set', [], new Map([['new', [podWith()]]]), false],
  ['pods in the status of an old set', [setWith('old', 0, { replicas: 1 })], new Map(), true],
])('waits for %s: %#', (_, oldSets, pods, expected) => {
  expect(areOldPodsRunning(oldSets, setWith('new', 0), pods)).toBe(expected);
});
