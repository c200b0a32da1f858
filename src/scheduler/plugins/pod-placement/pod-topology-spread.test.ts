import { expect, test } from 'vitest';
import type { corev1 } from '../../../schema/api/index.ts';
import { testCache, testNode, testPod } from '../../testing.test-support.ts';
import { testHandle } from '../test-handle.test-support.ts';
import { podTopologySpread } from './pod-topology-spread.ts';

const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } };
const pod = testPod({ labels: { app: 'web' }, topologySpreadConstraints: [constraint] });
const { events = [] } = podTopologySpread(testHandle(testCache([])), undefined);
const [ofPods, ofNodes] = events.map(({ hint }) => hint);

const web = testPod({ labels: { app: 'web' } }).pod;
const other = testPod({ labels: { app: 'other' } }).pod;
const elsewhere: corev1.Pod = { ...web, metadata: { ...web.metadata, namespace: 'elsewhere' } };

test.each([
  ['a pod that is counted is added', undefined, web, true],
  ['a pod that is counted is deleted', web, undefined, true],
  ['a pod is counted no longer', web, other, true],
  ['a pod that is not counted is added', undefined, other, false],
  ['a pod of another namespace is added', undefined, elsewhere, false],
])('%s: the pod is retried: %#', (_, old, current, expected) => {
  expect(ofPods?.(pod, old, current)).toBe(expected);
});

const inZone = (zone: string, taints: readonly corev1.Taint[] = []): corev1.Node => testNode('a', { labels: { zone }, taints });
const outside = testNode('a');

test.each([
  ['a node of a zone is added', undefined, inZone('1'), true],
  ['a node of a zone is deleted', inZone('1'), undefined, true],
  ['a node moves to another zone', inZone('1'), inZone('2'), true],
  ['a node gets a zone', outside, inZone('1'), true],
  ['the taints of a node change', inZone('1'), inZone('1', [{ key: 't', effect: 'NoSchedule' }]), true],
  ['other labels of a node change', inZone('1'), { ...inZone('1'), metadata: { name: 'a', labels: { zone: '1', disk: 'ssd' } } }, false],
  ['a node without a zone is added', undefined, outside, false],
  ['the taints of a node without a zone change', outside, testNode('a', { taints: [{ key: 't', effect: 'NoSchedule' }] }), false],
])('%s: the pod is retried: %#', (_, old, current, expected) => {
  expect(ofNodes?.(pod, old, current)).toBe(expected);
});
