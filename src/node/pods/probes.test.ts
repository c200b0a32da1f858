import { expect, test } from 'vitest';
import { SimulatedPod } from './simulated-pod.test-support.ts';

const present = { imagePullPolicy: 'Never' };

function started(spec: object): SimulatedPod {
  const pod = new SimulatedPod(spec);
  for (const image of ['nginx', 'busybox']) pod.images.add(`docker.io/library/${image}:latest`);
  return pod;
}

test.each([
  [{ httpGet: { port: 80 } }, ''],
  [{ httpGet: { port: 80, path: '/none' } }, 'Readiness probe failed: HTTP probe failed with statuscode: 404'],
  [{ httpGet: { port: 81 } }, 'Readiness probe failed: Get "http://10.244.0.2:81/": dial tcp 10.244.0.2:81: connect: connection refused'],
  [{ httpGet: { port: 'web' } }, ''],
  [{ tcpSocket: { port: 80 } }, ''],
  [{ tcpSocket: { port: 443 } }, 'Readiness probe failed: dial tcp 10.244.0.2:443: connect: connection refused'],
  [{ exec: { command: ['false'] } }, 'Readiness probe failed: '],
  [{ exec: { command: ['cat', '/tmp/ready'] } }, "Readiness probe failed: cat: can't open '/tmp/ready': No such file or directory\n"],
  [{ grpc: { port: 80 } }, ''],
])('readiness probe %j', (readinessProbe, message) => {
  const container = { ...present, name: 'c', image: 'nginx', ports: [{ name: 'web', containerPort: 80 }], readinessProbe };
  const pod = started({ containers: [container] });
  pod.runTo(35);
  expect(pod.containers).toEqual([`c running${message === '' ? ' ready' : ''} 0`]);
  expect(pod.isIdle).toBe(message === '');
  if (message !== '') expect(pod.messages.at(-1)).toBe(message);
});

test('a probe of a port that is unknown has no result', () => {
  const livenessProbe = { httpGet: { port: 'wev' }, failureThreshold: 1 };
  const pod = started({ containers: [{ ...present, name: 'c', image: 'nginx', readinessProbe: livenessProbe, livenessProbe }] });
  pod.runTo(35);
  expect(pod.containers).toEqual(['c running 0']);
  const message = 'Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing "wev": invalid syntax';
  expect(pod.messages.filter((text) => text === message)).toHaveLength(4);
});

test('a container is ready after the initial delay and the successes in a row', () => {
  const readinessProbe = { initialDelaySeconds: 5, periodSeconds: 2, successThreshold: 3, tcpSocket: { port: 80 } };
  const pod = started({ containers: [{ ...present, name: 'c', image: 'nginx', readinessProbe }] });
  pod.runTo(9);
  expect(pod.containers).toEqual(['c running 0']);
  pod.runTo(10);
  expect(pod.containers).toEqual(['c running ready 0']);
});

test('a container that fails its liveness probe is stopped and restarted', () => {
  const script = 'touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600';
  const livenessProbe = { exec: { command: ['cat', '/tmp/healthy'] }, initialDelaySeconds: 5, periodSeconds: 5 };
  const pod = started({ containers: [{ ...present, name: 'c', image: 'busybox', args: ['/bin/sh', '-c', script], livenessProbe }] });
  pod.runTo(60);
  expect(pod.events.slice(3)).toEqual(['30.25 Unhealthy c', '35.25 Unhealthy c', '40.25 Unhealthy c', '40.25 Killing c']);
  expect(pod.messages.at(-1)).toBe('Container c failed liveness probe, will be restarted');
  expect(pod.containers).toEqual(['c running ready 0']);
  pod.runTo(75);
  expect(pod.containers).toEqual(['c running ready 1']);
  expect(pod.status.containerStatuses?.[0]?.lastState.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
});

const failing = { tcpSocket: { port: 443 }, periodSeconds: 10, failureThreshold: 2 };

test.each([
  ['Always', 'Container c failed liveness probe, will be restarted', 'c running ready 1'],
  ['Never', 'Container c failed liveness probe', 'c Completed 0 0'],
  ['OnFailure', 'Container c failed liveness probe, will be restarted', 'c running ready 1'],
])('the restart policy %s and a failed liveness probe', (restartPolicy, message, container) => {
  const pod = started({ restartPolicy, containers: [{ ...present, name: 'c', image: 'nginx', livenessProbe: failing }] });
  pod.runTo(12);
  expect([pod.messages.findLast((text) => text.startsWith('Container c')), pod.containers]).toEqual([message, [container]]);
});

test('a sidecar that fails its liveness probe is restarted', () => {
  const sidecar = { ...present, name: 's', image: 'nginx', restartPolicy: 'Always', livenessProbe: failing };
  const pod = started({ initContainers: [sidecar], containers: [{ ...present, name: 'c', image: 'nginx' }] });
  pod.runTo(12);
  expect(pod.messages).toContain('Init container s failed liveness probe');
  expect(pod.containers).toEqual(['s running ready 1', 'c running ready 0']);
});

test('a container that fails its liveness probe waits when the end before is more recent than the back-off', () => {
  const pod = started({ containers: [{ ...present, name: 'c', image: 'nginx', livenessProbe: failing }] });
  pod.runTo(70);
  const starts = pod.events.filter((event) => event.includes('Started')).map((event) => Math.floor(Number(event.split(' ')[0])));
  expect(starts).toEqual([0, 10, 20, 30, 60]);
});

test('other probes begin after the startup probe', () => {
  const script = 'sleep 12; touch /tmp/started; sleep 600';
  const startupProbe = { exec: { command: ['cat', '/tmp/started'] }, periodSeconds: 5, failureThreshold: 10 };
  const pod = started({ containers: [{ ...present, name: 'c', image: 'busybox', command: ['sh', '-c', script], startupProbe }] });
  pod.runTo(14);
  expect(pod.status.containerStatuses?.[0]).toMatchObject({ started: false, ready: false });
  pod.runTo(16);
  expect(pod.status.containerStatuses?.[0]).toMatchObject({ started: true, ready: true });
});
