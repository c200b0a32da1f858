import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { testCache, testNode, testPod } from '../testing.test-support.ts';
import { imageLocality } from './image-locality.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeResourcesBalancedAllocation } from './node-resources/node-resources-balanced-allocation.ts';
import { nodeResourcesFit } from './node-resources/node-resources-fit.ts';
import { interPodAffinity } from './pod-placement/inter-pod-affinity.ts';
import { podTopologySpread } from './pod-placement/pod-topology-spread.ts';
import { taintToleration } from './taint-toleration.ts';
import { scoreAll, testFramework, testHandle } from './test-handle.test-support.ts';

const gigabyte = 1024 ** 3;
const zones = [testNode('a', { labels: { zone: '1' } }), testNode('b', { labels: { zone: '2' } })];
const web = testPod({ name: 'x', labels: { app: 'web' } });
const selector = { matchLabels: { app: 'web' } };
const avoid: corev1.Taint = { key: 'k', effect: 'PreferNoSchedule' };

interface Case {
  readonly plugin: PluginFactory;
  readonly args?: unknown;
  readonly nodes: readonly corev1.Node[];
  readonly pods?: Readonly<Record<string, readonly ReturnType<typeof testPod>[]>>;
  readonly pod: ReturnType<typeof testPod>;
  readonly scores: readonly number[];
}

const half = testPod({ name: 'x', requests: { cpu: '2', memory: '4Gi' } });

const cases: Readonly<Record<string, Case>> = {
  'least allocated: missing requests count as 100 m and 200 MiB': {
    plugin: nodeResourcesFit,
    nodes: [testNode('a'), testNode('b')],
    pods: { b: [half] },
    pod: testPod(),
    scores: [97, 47],
  },
  'most allocated': {
    plugin: nodeResourcesFit,
    args: { scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] } },
    nodes: [testNode('a'), testNode('b')],
    pods: { b: [half] },
    pod: testPod({ requests: { cpu: '1' } }),
    scores: [25, 75],
  },
  'requested to capacity': {
    plugin: nodeResourcesFit,
    args: {
      scoringStrategy: {
        type: 'RequestedToCapacityRatio',
        resources: [{ name: 'cpu', weight: 1 }],
        requestedToCapacityRatio: {
          shape: [
            { utilization: 0, score: 10 },
            { utilization: 100, score: 0 },
          ],
        },
      },
    },
    nodes: [testNode('a'), testNode('b')],
    pods: { b: [half] },
    pod: testPod({ requests: { cpu: '1' } }),
    scores: [75, 25],
  },
  'balanced allocation': {
    plugin: nodeResourcesBalancedAllocation,
    nodes: [testNode('a'), testNode('b')],
    pods: { b: [testPod({ name: 'x', requests: { memory: '4Gi' } })] },
    pod: testPod({ requests: { cpu: '2' } }),
    scores: [75, 100],
  },
  'taints to avoid': {
    plugin: taintToleration,
    nodes: [testNode('a', { taints: [avoid, { ...avoid, key: 'l' }] }), testNode('b', { taints: [avoid] }), testNode('c')],
    pod: testPod(),
    scores: [0, 50, 100],
  },
  'preferred node affinity': {
    plugin: nodeAffinity,
    nodes: zones,
    pod: testPod({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 10, preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: ['2'] }] } },
            { weight: 5, preference: { matchExpressions: [{ key: 'zone', operator: 'Exists' }] } },
          ],
        },
      },
    }),
    scores: [33, 100],
  },
  'preferred pod affinity': {
    plugin: interPodAffinity,
    nodes: zones,
    pods: { b: [web] },
    pod: testPod({
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { labelSelector: selector, topologyKey: 'zone' } },
          ],
        },
      },
    }),
    scores: [0, 100],
  },
  'spreading where it is not required': {
    plugin: podTopologySpread,
    nodes: zones,
    pods: { b: [web] },
    pod: testPod({
      labels: { app: 'web' },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: selector }],
    }),
    scores: [100, 0],
  },
  'images on the node, as far as they are spread': {
    plugin: imageLocality,
    nodes: [testNode('a', { images: [{ names: ['image:latest'], sizeBytes: gigabyte }] }), testNode('b')],
    pod: testPod(),
    scores: [50, 0],
  },
};

test.each(Object.entries(cases))('%s', (_, { plugin, args, nodes, pods = {}, pod, scores }) => {
  const handle = testHandle(testCache(nodes, pods));
  const found = scoreAll(testFramework(plugin, handle, args), handle, pod);
  expect(nodes.map(({ metadata }) => found[metadata.name ?? ''])).toEqual(scores);
});
