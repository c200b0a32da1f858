import { expect, test } from 'vitest';
import { chosenContainer, chosenPod, containersOf } from './containers.ts';

const pod = {
  metadata: { name: 'web', annotations: { 'kubectl.kubernetes.io/default-container': 'side' } },
  spec: {
    containers: [{ name: 'app', stdin: true, tty: true }, { name: 'side' }],
    initContainers: [{ name: 'setup' }],
    ephemeralContainers: [{ name: 'debug' }],
  },
  status: {
    containerStatuses: [
      { name: 'app', containerID: 'c://2', state: { running: {} }, lastState: { terminated: { exitCode: 1 } } },
      { name: 'side', state: { waiting: {} }, lastState: {} },
    ],
    initContainerStatuses: [{ name: 'setup', containerID: 'c://0', state: { terminated: {} } }],
  },
};

test('regular containers come first, then init and ephemeral ones, with their states', () => {
  expect(containersOf(pod)).toEqual([
    { name: 'app', kind: 'regular', isRunning: true, instance: 'c://2', hasPrevious: true, stdin: true, tty: true },
    { name: 'side', kind: 'regular', isRunning: false, instance: '', hasPrevious: false, stdin: false, tty: false },
    { name: 'setup', kind: 'init', isRunning: false, instance: 'c://0', hasPrevious: false, stdin: false, tty: false },
    { name: 'debug', kind: 'ephemeral', isRunning: false, instance: '', hasPrevious: false, stdin: false, tty: false },
  ]);
});

test('without a name, the container of the annotation is chosen, then the first one', () => {
  expect(chosenContainer(pod, 'setup')?.name).toBe('setup');
  expect(chosenContainer(pod, '')?.name).toBe('side');
  expect(chosenContainer({ ...pod, metadata: {} }, 'none')?.name).toBe('app');
});

test('without a name, the first running pod is chosen', () => {
  const named = (name: string, phase: string): object => ({ metadata: { name }, status: { phase } });
  const pods = [named('c', 'Running'), named('b', 'Running'), named('a', 'Pending')] as never;
  expect(chosenPod(pods, 'a')).toBe(pods[2]);
  expect(chosenPod(pods, 'absent')).toBe(pods[1]);
  expect(chosenPod([pods[2]], '')).toBe(pods[2]);
  expect(chosenPod([], '')).toBeUndefined();
});
