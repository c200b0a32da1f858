import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { fastNodeStatus, runningStatus, succeededStatus } from './fast-status.ts';

const nowMs = Date.UTC(2026, 0, 1);
const now = '2026-01-01T00:00:00Z';

const node = (status: Partial<corev1.NodeStatus>): corev1.Node => ({ metadata: { name: 'a' }, status }) as corev1.Node;

test('a node becomes ready, and retains its capacity', () => {
  const status = fastNodeStatus(node({ allocatable: { cpu: '4' } }), nowMs, 'v1');
  expect(status?.conditions?.[0]).toEqual({
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  });
  expect([status?.capacity, status?.allocatable]).toEqual([{ cpu: '4' }, undefined]);
  expect(fastNodeStatus(node({}), nowMs, 'v1')).toMatchObject({ allocatable: { pods: '1M' }, capacity: { pods: '1M' } });
});

test.each([
  ['True', false],
  ['False', true],
  ['Unknown', true],
])('a node whose Ready is %s', (status, isWritten) => {
  const ready = { type: 'Ready', status } as corev1.NodeCondition;
  expect(fastNodeStatus(node({ conditions: [ready] }), nowMs, 'v1') !== undefined).toBe(isWritten);
});

test('all containers of a pod run and are ready', () => {
  const spec = {
    containers: [{ name: 'c', image: 'i' }],
    initContainers: [{ name: 'once' }, { name: 'sidecar', restartPolicy: 'Always' }],
    readinessGates: [{ conditionType: 'example.com/gate' }],
  };
  const status = runningStatus({ spec } as unknown as corev1.Pod, '10.0.0.2', nowMs);
  expect(status.conditions?.map(({ type, status: value }) => `${type} ${value}`)).toEqual([
    'Initialized True',
    'Ready True',
    'ContainersReady True',
    'example.com/gate True',
  ]);
  expect(status).toMatchObject({ phase: 'Running', podIP: '10.0.0.2', containerStatuses: [{ name: 'c', ready: true, restartCount: 0 }] });
  expect(status.initContainerStatuses?.map(({ state }) => Object.keys(state))).toEqual([['terminated'], ['running']]);
});

test('all containers of a succeeded pod are terminated', () => {
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  expect(succeededStatus({ spec } as unknown as corev1.Pod, nowMs)).toMatchObject({
    phase: 'Succeeded',
    containerStatuses: [{ ready: false, state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt: now } } }],
  });
});
