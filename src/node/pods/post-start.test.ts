import { expect, test } from 'vitest';
import { SimulatedPod } from './simulated-pod.test-support.ts';

const withHook = (command: readonly string[], spec: object = {}): SimulatedPod => {
  const hooked = { name: 'c', image: 'redis', lifecycle: { postStart: { exec: { command } } } };
  return new SimulatedPod({ containers: [hooked, { name: 'next', image: 'redis' }], ...spec });
};

test('a container is not running before its hook has ended, and no other one is started', () => {
  const pod = withHook(['sleep', '5']);
  pod.runTo(5);
  expect([pod.containers, pod.status.phase]).toEqual([['c ContainerCreating 0', 'next ContainerCreating 0'], 'Pending']);
  expect(pod.events.at(-1)).toContain('Started c');
  pod.runTo(10);
  expect([pod.containers, pod.status.phase]).toEqual([['c running ready 0', 'next running ready 0'], 'Running']);
});

test('a container whose hook fails is stopped and started again', () => {
  const pod = withHook(['sh', '-c', 'exit 3']);
  pod.runTo(2);
  expect(pod.events.slice(4, 6).map((event) => event.split(' ')[1])).toEqual(['FailedPostStartHook', 'Killing']);
  expect(pod.messages.slice(4, 6)).toEqual(['PostStartHook failed', 'FailedPostStartHook']);
  pod.runTo(30);
  const { state, lastState } = pod.status.containerStatuses?.[0] ?? {};
  expect([state?.waiting?.reason, lastState?.terminated?.exitCode]).toEqual(['CrashLoopBackOff', 0]);
  expect(pod.containers[1]).toBe('next running ready 0');
});

test('a container that is not started again ends with its exit code', () => {
  const pod = withHook(['false'], { restartPolicy: 'Never' });
  pod.runTo(1.55);
  const what = 'Exec lifecycle hook ([false]) for Container "c" in Pod "web_ns(u)" failed';
  expect(pod.state.containers[0]?.run?.hookError).toBe(`${what} - error: command 'false' exited with 1: , message: ""`);
  expect(pod.runTo(30).phase).toBe('Running');
  expect(pod.containers).toEqual(['c Completed 0 0', 'next running ready 0']);
});

test('a pod that is deleted during a hook is stopped', () => {
  const pod = withHook(['sleep', '600']);
  pod.runTo(3);
  pod.change({ deletionTimestamp: '2026-01-01T00:00:03Z', deletionGracePeriodSeconds: 5 });
  pod.runTo(10);
  expect(pod.state.isFinished).toBe(true);
});
