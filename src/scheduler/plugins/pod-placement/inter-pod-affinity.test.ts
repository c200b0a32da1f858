import { expect, test } from 'vitest';
import type { corev1 } from '../../../schema/api/index.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { testCache, testPod } from '../../testing.test-support.ts';
import { testHandle } from '../test-handle.test-support.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';

const term = (app: string): corev1.PodAffinityTerm => ({ labelSelector: { matchLabels: { app } }, topologyKey: 'zone' });
const near = (...apps: readonly string[]): PodInfo =>
  testPod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: apps.map(term) } } });
const apart = (...apps: readonly string[]): PodInfo =>
  testPod({ labels: { app: 'web' }, affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: apps.map(term) } } });
const web = testPod({ labels: { app: 'web' } });
const other = testPod({ labels: { app: 'other' } });

// As kube-scheduler 1.34.4.
test.each([
  ['a pod that matches the affinity is added', near('web'), undefined, web, true],
  ['a pod that matches one of two terms is added', near('web', 'db'), undefined, web, false],
  ['a pod matches the affinity after a change of its labels', near('web'), other, web, true],
  ['a pod that matches the affinity is deleted', near('web'), web, undefined, false],
  ['a pod that matches the anti-affinity is deleted', apart('web'), web, undefined, true],
  ['a pod no longer matches the anti-affinity', apart('web'), web, other, true],
  ['a pod that matches one of two terms of the anti-affinity is deleted', apart('web', 'db'), web, undefined, false],
  ['a pod whose anti-affinity matches is deleted', web, apart('web'), undefined, false],
])('%s: the pod is retried: %#', (_, pod, old, current, expected) => {
  const plugin = interPodAffinity(testHandle(testCache([])), undefined);
  const [assigned] = plugin.events ?? [];
  expect(assigned?.hint?.(pod, old?.pod, current?.pod)).toBe(expected);
});
