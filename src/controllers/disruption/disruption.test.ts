import { expect, test } from 'vitest';
import type { corev1, policyv1 } from '../../schema/api/index.ts';
import { formatSelector } from '../format-selector.ts';
import { countHealthyPods, failedStatus, findDisruptedPods, nextStatus } from './budget-status.ts';
import { countExpectedPods } from './expected-pods.ts';
import { staleConditionMs, withoutDisruptionTarget } from './stale-condition.ts';

const nowMs = Date.parse('2026-01-01T00:10:00Z');

interface PodFacts {
  readonly isReady?: boolean;
  readonly isDeleted?: boolean;
  readonly owner?: string;
  readonly phase?: string;
  readonly target?: Partial<corev1.PodCondition>;
}

function pod(name: string, { isReady = true, isDeleted = false, owner, phase = 'Running', target }: PodFacts = {}): corev1.Pod {
  const ready = { type: 'Ready', status: isReady ? 'True' : 'False' };
  const conditions = target ? [ready, { type: 'DisruptionTarget', status: 'True', ...target }] : [ready];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'shop',
      name,
      ...(isDeleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      ...(owner ? { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }] } : {}),
    },
    spec: { containers: [] },
    status: { phase, conditions },
  } as unknown as corev1.Pod;
}

function budget(status: Partial<policyv1.PodDisruptionBudgetStatus> = {}): Pick<policyv1.PodDisruptionBudget, 'metadata' | 'status'> {
  return {
    metadata: { namespace: 'shop', name: 'b', generation: 2 },
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...status },
  };
}

const scales: Readonly<Record<string, number>> = { a: 3, b: 5 };
const findScale = async ({ uid }: { readonly uid: string }) => {
  const replicas = scales[uid];
  return replicas === undefined ? undefined : { uid, replicas };
};

test.each<[policyv1.PodDisruptionBudgetSpec, readonly corev1.Pod[], object]>([
  [{ minAvailable: 2 }, [pod('x'), pod('y')], { expected: 2, desiredHealthy: 2, hasUnmanaged: false }],
  [{ minAvailable: '50%' }, [pod('x', { owner: 'a' }), pod('y', { owner: 'a' })], { expected: 3, desiredHealthy: 2, hasUnmanaged: false }],
  [{ maxUnavailable: 1 }, [pod('x', { owner: 'a' }), pod('y', { owner: 'b' })], { expected: 8, desiredHealthy: 7, hasUnmanaged: false }],
  [{ maxUnavailable: '30%' }, [pod('x', { owner: 'b' })], { expected: 5, desiredHealthy: 3, hasUnmanaged: false }],
  [{ maxUnavailable: 9 }, [pod('x', { owner: 'a' })], { expected: 3, desiredHealthy: 0, hasUnmanaged: false }],
  [{ maxUnavailable: 1 }, [pod('x')], { expected: 0, desiredHealthy: 0, hasUnmanaged: true }],
  [{}, [pod('x')], { expected: 0, desiredHealthy: 0, hasUnmanaged: false }],
])('expects by %j', async (spec, pods, expected) => {
  expect(await countExpectedPods(spec, pods, findScale)).toEqual(expected);
});

test('fails for a pod whose controller does not exist', async () => {
  await expect(countExpectedPods({ maxUnavailable: 1 }, [pod('x', { owner: 'absent' })], findScale)).rejects.toThrow(
    'found no controllers for pod "x"',
  );
});

test('counts ready pods that are not about to be deleted', () => {
  const pods = [pod('a'), pod('b', { isReady: false }), pod('c', { isDeleted: true }), pod('d')];
  expect(countHealthyPods(pods, { d: '2026-01-01T00:09:00Z' }, nowMs)).toBe(1);
  expect(countHealthyPods(pods, { d: '2026-01-01T00:08:00Z' }, nowMs)).toBe(2);
});

test('removes disrupted pods that are deleted or overdue', () => {
  const disruptedPods = { a: '2026-01-01T00:09:00Z', b: '2026-01-01T00:01:00Z', c: '2026-01-01T00:09:00Z', absent: '2026-01-01T00:09:00Z' };
  const overdue = pod('b');
  expect(findDisruptedPods(budget({ disruptedPods }), [pod('a'), overdue, pod('c', { isDeleted: true })], nowMs)).toEqual({
    pods: { a: '2026-01-01T00:09:00Z' },
    recheckMs: 60_000,
    overdue: [overdue],
  });
});

test('allows the disruption of pods beyond the desired ones', () => {
  const counts = { expected: 3, desiredHealthy: 2, healthy: 3, disrupted: {} };
  const status = nextStatus(budget(), counts, nowMs);
  const condition = { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', message: '', observedGeneration: 2 };
  expect(status).toEqual({
    currentHealthy: 3,
    desiredHealthy: 2,
    expectedPods: 3,
    disruptionsAllowed: 1,
    observedGeneration: 2,
    conditions: [{ ...condition, lastTransitionTime: '2026-01-01T00:10:00Z' }],
  });
  expect(nextStatus(budget(status), counts, nowMs + 5_000)).toBeUndefined();
  const fewer = nextStatus(budget(status), { ...counts, healthy: 1 }, nowMs + 5_000);
  expect(fewer).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ status: 'False', reason: 'InsufficientPods', lastTransitionTime: '2026-01-01T00:10:05Z' }],
  });
});

test('allows no disruption when no pod is expected', () => {
  const status = nextStatus(budget(), { expected: 0, desiredHealthy: 0, healthy: 1, disrupted: {} }, nowMs);
  expect(status).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0, conditions: [{ reason: 'InsufficientPods' }] });
});

test('allows no disruption after an error, and reports it', () => {
  expect(failedStatus(budget({ disruptionsAllowed: 2, currentHealthy: 3, observedGeneration: 1 }), 'why', nowMs)).toMatchObject({
    disruptionsAllowed: 0,
    currentHealthy: 3,
    conditions: [{ status: 'False', reason: 'SyncFailed', message: 'why', observedGeneration: 1 }],
  });
});

test.each<[string, corev1.Pod, number | undefined]>([
  ['no condition', pod('a'), undefined],
  ['a recent condition', pod('a', { target: { lastTransitionTime: '2026-01-01T00:09:00Z' } }), 60_000],
  ['an old condition', pod('a', { target: { lastTransitionTime: '2026-01-01T00:01:00Z' } }), 0],
  ['a condition of the kubelet', pod('a', { target: { reason: 'TerminationByKubelet' } }), undefined],
  ['a condition that is False', pod('a', { target: { status: 'False' } }), undefined],
  ['a pod that ended', pod('a', { phase: 'Failed', target: {} }), undefined],
  ['a pod that is being deleted', pod('a', { isDeleted: true, target: {} }), undefined],
])('finds when the condition is stale: %s', (_, given, ms) => {
  expect(staleConditionMs(given, nowMs)).toBe(ms);
});

test('resets a stale condition', () => {
  const stale = pod('a', { target: { reason: 'EvictionByEvictionAPI', message: 'm' } });
  const reset = withoutDisruptionTarget({ ...stale, metadata: { ...stale.metadata, generation: 2 } }, nowMs);
  expect(reset.status.conditions).toEqual([
    { type: 'Ready', status: 'True' },
    { type: 'DisruptionTarget', status: 'False', lastProbeTime: null, lastTransitionTime: '2026-01-01T00:10:00Z', observedGeneration: 2 },
  ]);
});

test('formats selectors as Go does', () => {
  const selector = { matchLabels: { b: '1', a: '2' }, matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }] };
  expect(formatSelector(selector)).toBe(
    '&LabelSelector{MatchLabels:map[string]string{a: 2,b: 1,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}',
  );
  expect(formatSelector(undefined)).toBe('nil');
});
