import { expect, test } from 'vitest';
import { parseTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { byDeletionOrder, byRankedDeletionOrder } from './index.ts';
import { type PodFields, podWith, readyStatus } from './pod.test-support.ts';

const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const ranked = byRankedDeletionOrder({
  rankOf: ({ spec }) => Number(spec.nodeName?.slice(1) ?? 0),
  nowMs: parseTime('2026-01-01T01:00:00Z'),
  costAnnotation,
});

const onNode = (fields: PodFields = {}): corev1.Pod => podWith({ ...fields, spec: { nodeName: 'n1', ...fields.spec } });
const withCost = (cost: string): corev1.Pod => onNode({ metadata: { annotations: { [costAnnotation]: cost } } });
const withRestarts = (...counts: readonly number[]): corev1.Pod => onNode({ status: { containerStatuses: counts.map(containerStatus) } });
const containerStatus = (restartCount: number): corev1.ContainerStatus => ({
  name: 'c',
  state: {},
  lastState: {},
  ready: true,
  restartCount,
  image: '',
  imageID: '',
});
const sidecarRestarts = (restartCount: number): corev1.Pod =>
  onNode({
    spec: { initContainers: [{ name: 'c', resources: {}, restartPolicy: 'Always' }] },
    status: { initContainerStatuses: [containerStatus(restartCount)] },
  });
const created = (creationTimestamp: string, uid = 'u1'): corev1.Pod => onNode({ metadata: { creationTimestamp, uid } });
const ready = (since: string | null, uid = 'u1'): corev1.Pod => onNode({ metadata: { uid }, status: readyStatus(since) });

const both = [byDeletionOrder, ranked];
const onlyRanked = [ranked];

test.each([
  ['a pod without node', podWith(), onNode(), both],
  ['a pending pod', onNode({ status: { phase: 'Pending' } }), onNode({ status: { phase: 'Unknown' } }), both],
  ['a pod of unknown phase', onNode({ status: { phase: 'Unknown' } }), onNode({ status: { phase: 'Running' } }), both],
  ['a pod that is not ready', onNode({ status: readyStatus(null, false) }), onNode({ status: readyStatus(null) }), both],
  ['a pod of lower cost', withCost('-5'), withCost('1'), onlyRanked],
  ['an invalid cost counts as 0', withCost('+9'), withCost('1'), onlyRanked],
  ['a cost beyond 32 bits counts as 0', withCost('4294967296'), withCost('1'), onlyRanked],
  ['a pod on a node with more related pods', onNode({ spec: { nodeName: 'n2' } }), onNode(), onlyRanked],
  ['a pod that is ready for a shorter time', ready('2026-01-01T00:59:00Z', 'u2'), ready('2026-01-01T00:00:00Z'), both],
  ['a pod that is ready since an unknown time', ready(null), ready('2026-01-01T00:59:00Z'), both],
  ['the smaller UID of one class of ages', ready('2026-01-01T00:00:00Z'), ready('2026-01-01T00:01:00Z', 'u2'), onlyRanked],
  ['a pod with more restarts', withRestarts(1, 3), withRestarts(2, 2), both],
  ['a pod with more restarts of a sidecar', sidecarRestarts(1), sidecarRestarts(0), both],
  ['a newer pod', created('2026-01-01T00:59:00Z', 'u2'), created('2026-01-01T00:00:00Z'), both],
  ['the smaller UID of one class of creation times', created('2026-01-01T00:00:00Z'), created('2026-01-01T00:01:00Z', 'u2'), onlyRanked],
])('first: %s', (_, first, second, comparisons) => {
  for (const compare of comparisons) expect([compare(first, second) < 0, compare(second, first) > 0]).toEqual([true, true]);
});

test('equal pods have no order', () => {
  for (const compare of both) expect(compare(onNode(), onNode())).toBe(0);
  expect(byDeletionOrder(withCost('1'), withCost('2'))).toBe(0);
});
