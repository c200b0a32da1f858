import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import type { PodMetrics } from './metrics-client.ts';
import { replicasForAverage, replicasForShare, replicasForUtilization, replicasForValue } from './replica-calculator.ts';

const nowMs = Date.UTC(2026, 0, 1, 1);
const long = '2026-01-01T00:00:00Z';
const recent = '2026-01-01T00:59:00Z';

const pod = (name: string, { phase = 'Running', ready = 'True', since = long, deleted = false } = {}): corev1.Pod =>
  ({
    metadata: { name, ...(deleted ? { deletionTimestamp: long } : {}) },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '100m' } } }] },
    status: { phase, startTime: since, conditions: [{ type: 'Ready', status: ready, lastTransitionTime: since }] },
  }) as unknown as corev1.Pod;

const metricsOf = (values: Readonly<Record<string, number>>): PodMetrics =>
  new Map(Object.entries(values).map(([name, value]) => [name, { atMs: nowMs, windowMs: 1_000, value }]));

const [a, b, c] = [pod('a'), pod('b'), pod('c')];

test.each<[string, readonly corev1.Pod[], Readonly<Record<string, number>>, number, number, number]>([
  ['doubles', [a, b], { a: 100, b: 100 }, 50, 4, 100],
  ['stays within the tolerance', [a, b], { a: 54, b: 54 }, 50, 2, 54],
  ['shrinks', [a, b, c], { a: 10, b: 10, c: 10 }, 50, 1, 10],
  ['counts a missing pod with its request when it shrinks', [a, b, c], { a: 10, b: 10 }, 50, 3, 10],
  ['counts a missing pod with nothing when it grows', [a, b, c], { a: 100, b: 100 }, 50, 4, 100],
  ['does not turn around by missing pods', [a, b, c], { a: 60 }, 50, 3, 60],
  ['counts a pending pod with nothing when it grows', [a, b, pod('c', { phase: 'Pending' })], { a: 100, b: 100 }, 50, 4, 100],
  ['ignores unready pods after their start', [a, pod('b', { ready: 'False', since: recent })], { a: 100, b: 900 }, 50, 2, 100],
  [
    'ignores deleted and failed pods',
    [a, pod('b', { deleted: true }), pod('c', { phase: 'Failed' })],
    { a: 200, b: 900, c: 1 },
    50,
    4,
    200,
  ],
])('%s', (_, pods, values, percent, replicas, utilization) => {
  const input = { pods, nowMs, currentReplicas: pods.length };
  expect(replicasForUtilization(metricsOf(values), { resource: 'cpu', container: '', percent }, input)).toMatchObject({
    replicas,
    utilization,
  });
});

test.each<[readonly corev1.Pod[], Readonly<Record<string, number>>, string]>([
  [[], { a: 1 }, 'no pods returned by selector while calculating replica count'],
  [[pod('a', { phase: 'Pending' })], { a: 1 }, 'did not receive metrics for targeted pods (pods might be unready)'],
  [[{ ...a, spec: { containers: [{ name: 'x' }] } } as unknown as corev1.Pod], { a: 1 }, 'missing request for cpu in container x of Pod a'],
])('fails for pods %#', (pods, values, message) => {
  const compute = () =>
    replicasForUtilization(metricsOf(values), { resource: 'cpu', container: '', percent: 50 }, { pods, nowMs, currentReplicas: 1 });
  expect(compute).toThrow(message);
});

test('averages a metric over pods', () => {
  const input = { pods: [a, b], nowMs, currentReplicas: 2 };
  expect(replicasForAverage(metricsOf({ a: 30_000, b: 10_000 }), 10_000, '', input)).toEqual({ replicas: 4, usage: 20_000 });
});

test.each([
  [2, 30_000, { replicas: 6, usage: 30_000 }],
  [2, 10_500, { replicas: 2, usage: 10_500 }],
  [0, 30_000, { replicas: 3, usage: 30_000 }],
])('%i replicas with a value of %i', (currentReplicas, usage, expected) => {
  expect(replicasForValue(usage, 10_000, { pods: [a, b], nowMs, currentReplicas })).toEqual(expected);
});

test('without pods a value of all pods gives no number of replicas', () => {
  const text = 'unable to calculate ready pods: no pods returned by selector while calculating replica count';
  expect(() => replicasForValue(30_000, 10_000, { pods: [], nowMs, currentReplicas: 1 })).toThrow(text);
});

test('more replicas than int32 has are its smallest number, as of kube-controller-manager on amd64', () => {
  const input = { pods: [a, b], nowMs, currentReplicas: 2 };
  // 1 GiB for each pod, with a target of 0.1 bytes, in thousandths.
  const { replicas } = replicasForAverage(metricsOf({ a: 2 ** 30 * 1_000, b: 2 ** 30 * 1_000 }), 100, '', input);
  expect(replicas).toBe(-(2 ** 31));
});

test.each([
  [35_000, 2, { replicas: 4, usage: 17_500 }],
  [21_000, 2, { replicas: 2, usage: 10_500 }],
])('a share of %i for %i replicas', (usage, replicas, expected) => {
  expect(replicasForShare(usage, 10_000, replicas)).toEqual(expected);
});
