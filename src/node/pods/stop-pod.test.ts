import { expect, test } from 'vitest';
import { SimulatedPod, startMs } from './simulated-pod.test-support.ts';

const deleted = (deletionGracePeriodSeconds: number): object => ({
  deletionTimestamp: new Date(startMs).toISOString(),
  deletionGracePeriodSeconds,
});

function running(container: object, spec: object = {}): SimulatedPod {
  const pod = new SimulatedPod({ containers: [{ name: 'c', ...container }], ...spec });
  pod.runTo(10);
  return pod;
}

test.each([
  ['a server ends soon', { image: 'nginx' }, 30, 10.1, 'c Completed 0 0', 'Succeeded'],
  ['a shell ignores SIGTERM', { image: 'busybox', command: ['sleep', '600'] }, 30, 40, 'c Error 137 0', 'Failed'],
  ['the grace period is that of the deletion', { image: 'busybox', command: ['sleep', '600'] }, 5, 15, 'c Error 137 0', 'Failed'],
  ['the least grace period', { image: 'busybox', command: ['sleep', '600'] }, 1, 12, 'c Error 137 0', 'Failed'],
  ['it ends by itself', { image: 'busybox', command: ['sleep', '20'] }, 30, 20.685, 'c Completed 0 0', 'Succeeded'],
  ['preStop runs first', { image: 'nginx', lifecycle: { preStop: { sleep: { seconds: 7 } } } }, 30, 17.1, 'c Completed 0 0', 'Succeeded'],
  [
    'preStop uses the whole grace period',
    { image: 'nginx', lifecycle: { preStop: { exec: { command: ['sleep', '600'] } } } },
    5,
    15.1,
    'c Completed 0 0',
    'Succeeded',
  ],
])('%s', (_name, container, graceSeconds, endSeconds, state, phase) => {
  const pod = running(container);
  pod.change(deleted(graceSeconds));
  expect(pod.events.at(-1)).toBe('10 Killing c');
  expect(pod.messages.at(-1)).toBe('Stopping container c');
  pod.runTo(endSeconds - 0.05);
  expect([pod.state.isFinished, pod.condition('Ready')]).toEqual([false, 'True']);
  pod.runTo(endSeconds);
  expect([pod.state.isFinished, pod.containers, pod.status.phase]).toEqual([true, [state], phase]);
  expect(pod.condition('PodReadyToStartContainers')).toBe('False');
});

test('a second deletion shortens the grace period', () => {
  const pod = running({ image: 'busybox', command: ['sleep', '600'] });
  pod.change(deleted(30));
  pod.runTo(12);
  pod.change(deleted(5));
  pod.runTo(15);
  expect(pod.state.isFinished).toBe(true);
});

test('a pod that was not started ends at once', () => {
  const pod = new SimulatedPod({ containers: [{ name: 'c', image: 'nginx:does-not-exist' }] });
  pod.runTo(10);
  pod.change(deleted(30));
  expect([pod.state.isFinished, pod.containers, pod.status.phase]).toEqual([true, ['c ContainerStatusUnknown 137 0'], 'Failed']);
});

test('containers have no end when a pod ends before its init containers', () => {
  const container = (name: string, image: string): object => ({ name, image });
  const initContainers = [container('a', 'nginx:does-not-exist'), container('b', 'redis')];
  const pod = new SimulatedPod({ initContainers, containers: [container('c', 'redis')] });
  pod.runTo(10);
  pod.change(deleted(30));
  expect(pod.containers).toEqual(['a ContainerStatusUnknown 137 0', 'b PodInitializing 0', 'c PodInitializing 0']);
});

test('sidecars are stopped after the other containers, the last one first', () => {
  const sidecar = (name: string): object => ({ name, image: 'nginx', restartPolicy: 'Always' });
  const pod = running({ image: 'nginx' }, { initContainers: [sidecar('a'), sidecar('b')] });
  pod.change(deleted(30));
  pod.runTo(20);
  expect(pod.events.slice(-3)).toEqual(['10 Killing c', '10.1 Killing b', '10.2 Killing a']);
  expect(pod.state.isFinished).toBe(true);
});
