import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { createPodState } from './pod-state.ts';
import { podStatus } from './pod-status.ts';
import { type NodePod, othersBeforeResize, pendingResize, resizePod, withAllocated } from './resize.ts';
import { SimulatedPod, startMs } from './simulated-pod.test-support.ts';
import { type PodEnvironment, Step } from './step.ts';

const node = {
  metadata: { name: 'node-1' },
  spec: {},
  status: { allocatable: { cpu: '4', memory: '1Gi', pods: '110' } },
} as unknown as corev1.Node;

const podOf = (requests: Record<string, string>, container: object = {}): corev1.Pod =>
  ({
    metadata: { name: 'web', uid: 'u' },
    spec: { containers: [{ name: 'c', image: 'redis', resources: { requests }, ...container }] },
    status: {},
  }) as unknown as corev1.Pod;

const other = podOf({ cpu: '3', memory: '512Mi' });

test.each<[Record<string, string>, string | undefined, string | undefined]>([
  [{ cpu: '1', memory: '512Mi' }, undefined, undefined],
  [{ cpu: '8' }, 'Infeasible', "Node didn't have enough capacity: cpu, requested: 8000, capacity: 4000"],
  [{ cpu: '8', memory: '2Gi' }, 'Infeasible', "Node didn't have enough capacity: memory, requested: 2147483648, capacity: 1073741824"],
  [{ cpu: '2' }, 'Deferred', "Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000"],
])('a resize to %j: %s', (requests, reason, message) => {
  const pending = pendingResize(podOf(requests), node, [other]);
  expect([pending?.reason, pending?.message]).toEqual([reason, message]);
});

test('the former resources count until a resize fits', () => {
  const before = podOf({ cpu: '1' });
  const state = createPodState(before, startMs);
  const resize = (pod: corev1.Pod, others: readonly corev1.Pod[]): number => {
    const step = new Step(pod, startMs, {} as PodEnvironment);
    resizePod(state, node, () => others, step);
    return step.wakeMs - startMs;
  };
  expect(resize(before, [other])).toBe(Number.POSITIVE_INFINITY);
  const wanted = podOf({ cpu: '2' });
  expect(resize(wanted, [other])).toBe(180_000);
  expect(withAllocated(wanted, state).spec.containers?.[0]?.resources?.requests).toEqual({ cpu: '1' });
  resize(wanted, []);
  expect(withAllocated(wanted, state).spec.containers?.[0]?.resources?.requests).toEqual({ cpu: '2' });
  expect(state.resize).toBeUndefined();
});

interface ResizeFacts {
  readonly from: string;
  readonly to: string;
  readonly priority?: number;
  readonly qosClass?: string;
  readonly sinceMs?: number;
}

const resizeOf = ({ from, to, priority = 0, qosClass = 'Burstable', sinceMs }: ResizeFacts): NodePod => {
  const state = createPodState(podOf({ cpu: from }), startMs);
  state.allocated.set('c', { requests: { cpu: from } });
  state.resizePendingMs = sinceMs;
  const pod = podOf({ cpu: to });
  return { pod: { ...pod, spec: { ...pod.spec, priority }, status: { qosClass } } as unknown as corev1.Pod, state };
};

const own: ResizeFacts = { from: '1', to: '2', sinceMs: 20 };

test.each<[string, ResizeFacts, ResizeFacts, string]>([
  ['of higher priority', own, { ...own, priority: 1 }, '2'],
  ['of lower priority', { ...own, priority: 1 }, own, '1'],
  ['of higher priority that does not fit', own, { from: '1', to: '4', priority: 1 }, '1'],
  ['that is Guaranteed', own, { ...own, qosClass: 'Guaranteed' }, '2'],
  ['that is pending for longer', own, { ...own, sinceMs: 10 }, '2'],
  ['that is pending since later', own, { ...own, sinceMs: 30 }, '1'],
  ['that becomes smaller', { ...own, priority: 1 }, { from: '2', to: '1' }, '1'],
  ['that becomes smaller, and resized is one that becomes smaller', { from: '2', to: '1', priority: 1 }, { from: '2', to: '1' }, '2'],
  ['that is not resized', own, { from: '1', to: '1', priority: 1 }, '1'],
])('the resources of another pod %s, when a pod is resized', (_, resized, other, cpu) => {
  const pods = othersBeforeResize(resizeOf(resized), [resizeOf(other)], node);
  expect(pods.map(({ spec }) => spec.containers?.[0]?.resources?.requests?.['cpu'])).toEqual([cpu]);
});

const resourcesOf = (pod: SimulatedPod): unknown => {
  const [{ resources, allocatedResources } = {}] = pod.status.containerStatuses ?? [];
  return [resources?.requests, allocatedResources];
};
const isInProgress = (pod: SimulatedPod): boolean =>
  pod.status.conditions?.some(({ type, status }) => type === 'PodResizeInProgress' && status === 'True') ?? false;

test.each([
  ['NotRequired', 5.5, 6],
  ['RestartContainer', 34.5, 35.5],
])('a resize with the policy %s is in progress until its resources are observed: at %d s, not at %d s', (restartPolicy, before, after) => {
  const container = { command: ['sleep', '1000'], resizePolicy: [{ resourceName: 'memory', restartPolicy }] };
  const pod = new SimulatedPod(podOf({ memory: '64Mi' }, container).spec);
  pod.runTo(5);
  pod.change({}, podOf({ memory: '128Mi' }, container).spec);
  const resize = (atSeconds: number): void =>
    resizePod(pod.state, node, () => [], new Step(pod.pod, startMs + atSeconds * 1000, {} as PodEnvironment));
  pod.state.allocated.set('c', { requests: { memory: '64Mi' } });
  resize(5);
  expect([isInProgress(pod), resourcesOf(pod)]).toEqual([true, [{ memory: '64Mi' }, { memory: '128Mi' }]]);
  pod.change({});
  pod.runTo(before);
  resize(before);
  expect(isInProgress(pod)).toBe(true);
  pod.runTo(after);
  resize(after);
  expect([isInProgress(pod), resourcesOf(pod)]).toEqual([false, [{ memory: '128Mi' }, { memory: '128Mi' }]]);
});

test('the conditions of a resize have its generation and time, and its completion is an event', () => {
  const state = createPodState(podOf({ cpu: '1' }), startMs);
  const resize = (requests: Record<string, string>, generation: number, atSeconds: number): [corev1.PodCondition | undefined, Step] => {
    const pod = podOf(requests);
    const step = new Step({ ...pod, metadata: { ...pod.metadata, generation }, status }, startMs + atSeconds * 1000, {} as PodEnvironment);
    resizePod(state, node, () => [other], step);
    status.conditions = podStatus(step.pod, state, '', step.nowMs).conditions ?? [];
    return [status.conditions?.[0], step];
  };
  const status: { conditions: readonly corev1.PodCondition[] } = { conditions: [] };
  resize({ cpu: '1' }, 1, 0);
  const times = (transition: number, probe = transition): object => ({
    lastTransitionTime: `2026-01-01T00:00:0${transition}Z`,
    lastProbeTime: `2026-01-01T00:00:0${probe}Z`,
  });
  expect(resize({ cpu: '8' }, 2, 1)[0]).toMatchObject({ reason: 'Infeasible', observedGeneration: 2, ...times(1) });
  expect(resize({ cpu: '9' }, 3, 2)[0]).toMatchObject({ reason: 'Infeasible', observedGeneration: 3, ...times(1, 2) });
  expect(resize({ cpu: '2' }, 4, 3)[0]).toMatchObject({ reason: 'Deferred', ...times(3) });
  expect(resize({ memory: '1Mi', cpu: '500m' }, 5, 4)[0]).toMatchObject({
    type: 'PodResizeInProgress',
    observedGeneration: 5,
    ...times(4),
  });
  expect(resize({ memory: '1Mi', cpu: '500m' }, 6, 4.5)[0]).toMatchObject({ observedGeneration: 5, ...times(4) });
  const [condition, { events }] = resize({ memory: '1Mi', cpu: '500m' }, 6, 6);
  expect(condition?.type).toBe('PodReadyToStartContainers');
  const message = 'Pod resize completed: {"containers":[{"name":"c","resources":{"requests":{"cpu":"500m","memory":"1Mi"}}}]}';
  expect(events).toEqual([{ type: 'Normal', reason: 'ResizeCompleted', message }]);
});

test.each([
  ['NotRequired', 0],
  ['RestartContainer', 1],
])('the resize policy %s: %d restarts', (restartPolicy, restarts) => {
  const container = { resizePolicy: [{ resourceName: 'memory', restartPolicy }] };
  const pod = new SimulatedPod(podOf({ memory: '64Mi' }, container).spec);
  pod.runTo(5);
  const resized = { ...pod.pod, spec: podOf({ memory: '128Mi' }, container).spec };
  pod.state.allocated.set('c', { requests: { memory: '64Mi' } });
  const step = new Step(resized, startMs + 5_000, {} as PodEnvironment);
  resizePod(pod.state, node, () => [], step);
  expect(step.events.map(({ message }) => message)).toEqual(restarts === 0 ? [] : ['Container c resize requires restart']);
  pod.change({}, resized.spec);
  pod.runTo(20);
  expect(pod.status.containerStatuses?.[0]?.restartCount).toBe(restarts);
});
