import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import type { LiveContainer, LiveExit, ProbeOutcome, StartFailure } from '../runtime/container-runtime.ts';
import { resizePod } from './resize.ts';
import { SimulatedPod, startMs } from './simulated-pod.test-support.ts';
import { type PodEnvironment, Step } from './step.ts';

/** A container that ends, and answers probes and hooks, as a test decides. */
class ScriptedContainer implements LiveContainer {
  exit: LiveExit | undefined;
  outcome: ProbeOutcome = { isSuccess: true, output: '' };
  hookFailure: string | undefined;
  readonly calls: string[] = [];
  readonly user = { uid: 1000, gid: 3000, supplementalGroups: [3000] };
  readonly nowMs: () => number;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  end(code: number, message = ''): void {
    this.exit ??= { atMs: this.nowMs(), code, message };
  }

  resize({ limits = {} }: corev1.ResourceRequirements): void {
    this.calls.push(`resize ${JSON.stringify(limits)}`);
  }

  terminate(): void {
    this.calls.push('terminate');
  }

  kill(): void {
    this.calls.push('kill');
    this.end(137);
  }

  probe(): Promise<ProbeOutcome> {
    this.calls.push('probe');
    return Promise.resolve(this.outcome);
  }

  async runHook(): Promise<{ readonly message: string } | undefined> {
    this.calls.push('hook');
    return this.hookFailure === undefined ? undefined : { message: this.hookFailure };
  }
}

function podOf(fields: Partial<corev1.Container>, spec: object = {}): { pod: SimulatedPod; started: ScriptedContainer[] } {
  const started: ScriptedContainer[] = [];
  const pod = new SimulatedPod({ containers: [{ name: 'c', image: 'busybox', ...fields }], ...spec });
  pod.start = () => {
    const container = new ScriptedContainer(() => pod.nowMs);
    started.push(container);
    return container;
  };
  return { pod, started };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('a container ends with its processes, and shows their message', () => {
  const { pod, started } = podOf({}, { restartPolicy: 'Never' });
  pod.runTo(5);
  expect(pod.containers).toEqual(['c running ready 0']);
  expect(pod.status.containerStatuses?.[0]?.user).toEqual({ linux: { uid: 1000, gid: 3000, supplementalGroups: [3000] } });
  started[0]?.end(3, 'reason');
  pod.wake();
  const { state, user } = pod.status.containerStatuses?.[0] ?? {};
  expect(user?.linux).toMatchObject({ uid: 1000 });
  expect(state?.terminated).toMatchObject({ exitCode: 3, reason: 'Error', message: 'reason', finishedAt: '2026-01-01T00:00:05Z' });
  expect(pod.status.phase).toBe('Failed');
});

test('a container is killed when its grace period is over', async () => {
  const { pod, started } = podOf({ lifecycle: { preStop: { exec: { command: ['true'] } } } });
  pod.runTo(5);
  pod.change({ deletionTimestamp: '2026-01-01T00:00:05Z', deletionGracePeriodSeconds: 4 });
  expect(started[0]?.calls).toEqual(['hook']);
  await settle();
  pod.runTo(8);
  expect(started[0]?.calls).toEqual(['hook', 'terminate']);
  pod.runTo(9);
  expect(started[0]?.calls).toContain('kill');
  expect(pod.containers).toEqual(['c Error 137 0']);
});

test('SIGTERM follows a preStop hook that takes longer than the grace period', () => {
  const { pod, started } = podOf({ lifecycle: { preStop: { exec: { command: ['sleep', '100'] } } } });
  pod.runTo(5);
  pod.change({ deletionTimestamp: '2026-01-01T00:00:05Z', deletionGracePeriodSeconds: 4 });
  pod.runTo(8);
  expect(started[0]?.calls).toEqual(['hook']);
  pod.runTo(9);
  expect(started[0]?.calls).toEqual(['hook', 'terminate']);
  pod.runTo(11);
  expect(started[0]?.calls).toEqual(['hook', 'terminate', 'kill']);
});

test('a container is resized while it runs', () => {
  const { pod, started } = podOf({ resources: { limits: { cpu: '1' } } });
  pod.runTo(2);
  const resize = (): void => resizePod(pod.state, undefined, () => [], new Step(pod.pod, pod.nowMs, {} as PodEnvironment));
  resize();
  pod.pod = { ...pod.pod, spec: { ...pod.pod.spec, containers: [{ name: 'c', image: 'busybox', resources: { limits: { cpu: '2' } } }] } };
  resize();
  expect(started[0]?.calls).toEqual(['resize {"cpu":"2"}']);
});

test('an attempt of a probe that fails itself is reported, and does not count', async () => {
  const { pod, started } = podOf({ livenessProbe: { exec: { command: ['nope'] }, periodSeconds: 1, failureThreshold: 1 } });
  for (const seconds of [2, 3, 4]) {
    pod.runTo(seconds);
    if (started[0]) started[0].outcome = { isSuccess: false, isError: true, output: 'not found' };
    await settle();
    pod.wake();
  }
  expect(pod.messages).toContain('Liveness probe errored and resulted in unknown state: not found');
  expect(pod.containers).toEqual(['c running ready 0']);
});

test('a probe that succeeds with a warning is reported', async () => {
  const { pod, started } = podOf({ livenessProbe: { httpGet: { port: 80 }, periodSeconds: 1, failureThreshold: 1 } });
  for (const seconds of [2, 3, 4]) {
    pod.runTo(seconds);
    if (started[0]) started[0].outcome = { isSuccess: true, isWarning: true, output: 'redirects' };
    await settle();
    pod.wake();
  }
  expect(pod.messages).toContain('Liveness probe warning: redirects');
  expect(pod.containers).toEqual(['c running ready 0']);
});

test('readiness is probed while a pod terminates, liveness is not', async () => {
  const { pod, started } = podOf(
    { readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 1, failureThreshold: 1 }, livenessProbe: { tcpSocket: { port: 80 } } },
    { terminationGracePeriodSeconds: 60 },
  );
  const runTo = async (seconds: number): Promise<void> => {
    pod.runTo(seconds);
    await settle();
    pod.wake();
  };
  await runTo(2);
  expect(pod.containers).toEqual(['c running ready 0']);
  pod.change({ deletionTimestamp: '2026-01-01T00:01:02Z', deletionGracePeriodSeconds: 60 });
  if (started[0]) started[0].outcome = { isSuccess: false, output: 'refused' };
  for (const seconds of [3, 4, 30]) await runTo(seconds);
  expect(pod.containers).toEqual(['c running 0']);
  expect(pod.messages.filter((message) => message.startsWith('Liveness'))).toEqual([]);
});

test('probes are performed, and the container of a failed one is stopped', async () => {
  const { pod, started } = podOf({
    livenessProbe: { tcpSocket: { port: 80 }, periodSeconds: 1, failureThreshold: 2 },
    readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1 },
  });
  pod.runTo(3);
  expect(pod.containers).toEqual(['c running 0']);
  await settle();
  pod.wake();
  expect(pod.containers).toEqual(['c running ready 0']);
  for (const seconds of [4, 5, 6, 7]) {
    if (started[0]) started[0].outcome = { isSuccess: false, output: 'refused' };
    pod.runTo(seconds);
    await settle();
    pod.wake();
  }
  expect(pod.messages.filter((message) => message.startsWith('Liveness'))).toEqual([
    'Liveness probe failed: refused',
    'Liveness probe failed: refused',
  ]);
  expect(pod.events.some((event) => event.includes('Killing c'))).toBe(true);
  expect(started[0]?.calls).toContain('terminate');
});

test('the message of an HTTP hook has its path', async () => {
  const { pod } = podOf({ lifecycle: { postStart: { httpGet: { path: '/a', port: 80 } } } });
  pod.start = () => {
    const container = new ScriptedContainer(() => pod.nowMs);
    container.hookFailure = 'refused';
    return container;
  };
  pod.runTo(2);
  await settle();
  pod.wake();
  expect(pod.state.containers[0]?.run?.hookError).toBe(
    'HTTP lifecycle hook (/a) for Container "c" in Pod "web_ns(u)" failed - error: refused',
  );
});

test('the postStart hook is run, and its failure stops the container', async () => {
  const { pod, started } = podOf({ lifecycle: { postStart: { exec: { command: ['false'] } } } });
  pod.start = () => {
    const container = new ScriptedContainer(() => pod.nowMs);
    container.hookFailure = "command 'false' exited with 1: ";
    started.push(container);
    return container;
  };
  pod.runTo(2);
  expect(pod.containers[0]).toContain('ContainerCreating');
  await settle();
  pod.wake();
  expect(pod.events).toContain('2 FailedPostStartHook c');
  expect(started[0]?.calls).toEqual(['hook', 'terminate']);
});

const failWith = (pod: SimulatedPod, failure: StartFailure): void => {
  pod.start = () => failure;
};

test('a container that cannot be configured waits, and is tried again', () => {
  const { pod, started } = podOf({});
  const start = pod.start;
  failWith(pod, { reason: 'CreateContainerConfigError', message: 'cannot', code: 128 });
  pod.runTo(2);
  expect(pod.containers).toEqual(['c CreateContainerConfigError 0']);
  expect([pod.messages.at(-1), pod.events.some((event) => event.includes('Created'))]).toEqual(['Error: cannot', false]);
  pod.start = start;
  pod.runTo(15);
  expect([pod.containers, started.length]).toEqual([['c running ready 0'], 1]);
});

test('a program that cannot be started ends its container, which is started again after a delay', () => {
  const { pod } = podOf({});
  failWith(pod, { reason: 'RunContainerError', message: 'cannot', code: 128 });
  pod.runTo(2);
  expect(pod.containers).toEqual(['c CrashLoopBackOff 1']);
  expect(pod.messages.filter((message) => message === 'Error: cannot').length).toBe(2);
  const { lastState } = pod.status.containerStatuses?.[0] ?? {};
  expect(lastState?.terminated).toMatchObject({
    exitCode: 128,
    reason: 'StartError',
    message: 'cannot',
    startedAt: '1970-01-01T00:00:00Z',
  });
});

test('processes are started again when the program of the node has been restarted', () => {
  const { pod, started } = podOf({});
  pod.runTo(5);
  const restarted = new SimulatedPod(pod.pod.spec, {}, pod.status);
  restarted.start = pod.start;
  restarted.runTo(1);
  expect(started.length).toBe(2);
  expect(restarted.containers).toEqual(['c running ready 0']);
  expect(startMs).toBeGreaterThan(0);
});
