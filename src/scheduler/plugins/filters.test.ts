import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { testCache, testNode, testPod } from '../testing.test-support.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResourcesFit } from './node-resources/node-resources-fit.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { interPodAffinity } from './pod-placement/inter-pod-affinity.ts';
import { podTopologySpread } from './pod-placement/pod-topology-spread.ts';
import { taintToleration } from './taint-toleration.ts';
import { filterAll, testFramework, testHandle } from './test-handle.test-support.ts';

const never = 'UnschedulableAndUnresolvable: ';
const now = 'Unschedulable: ';
const zones = [testNode('a', { labels: { zone: '1' } }), testNode('b', { labels: { zone: '2' } }), testNode('c')];
const app = (value: string): { readonly matchLabels: Record<string, string> } => ({ matchLabels: { app: value } });
const term = (value: string, topologyKey = 'zone'): corev1.PodAffinityTerm => ({ labelSelector: app(value), topologyKey });
const repelling = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term('web')] } };
const ports = (hostPort: number, hostIP?: string) => [
  { name: 'c', resources: {}, ports: [{ hostPort, containerPort: 80, ...(hostIP ? { hostIP } : {}) }] },
];
const inField = (values: readonly string[]): corev1.Affinity => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values }] }],
    },
  },
});

interface Case {
  readonly plugin: PluginFactory;
  readonly nodes: readonly corev1.Node[];
  /** Pods by node. */
  readonly pods?: Readonly<Record<string, readonly ReturnType<typeof testPod>[]>>;
  readonly pod: ReturnType<typeof testPod>;
  readonly results: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'resources: reports all that is lacking, and whether the node ever has as much': {
    plugin: nodeResourcesFit,
    nodes: [testNode('a'), testNode('b', { allocatable: { cpu: '1', memory: '1Gi' } }), testNode('c', { allocatable: { pods: '1' } })],
    pods: { a: [testPod({ name: 'x', requests: { cpu: '3' } })], c: [testPod({ name: 'y' })] },
    pod: testPod({ requests: { cpu: '2', memory: '2Gi' } }),
    results: [`${now}Insufficient cpu`, `${never}Insufficient cpu, Insufficient memory`, `${now}Too many pods`],
  },
  'resources: extended ones': {
    plugin: nodeResourcesFit,
    nodes: [testNode('a'), testNode('b', { allocatable: { 'example.com/gpu': '2' } })],
    pod: testPod({ requests: { 'example.com/gpu': '1' } }),
    results: [`${never}Insufficient example.com/gpu`, 'fits'],
  },
  'node name': {
    plugin: nodeName,
    nodes: [testNode('a'), testNode('b')],
    pod: testPod({ nodeName: 'b' }),
    results: [`${never}node(s) didn't match the requested node name`, 'fits'],
  },
  'cordoned nodes': {
    plugin: nodeUnschedulable,
    nodes: [testNode('a', { unschedulable: true }), testNode('b')],
    pod: testPod(),
    results: [`${never}node(s) were unschedulable`, 'fits'],
  },
  taints: {
    plugin: taintToleration,
    nodes: [
      testNode('a', { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] }),
      testNode('b', { taints: [{ key: 'k', value: 'w', effect: 'NoExecute' }] }),
      testNode('c', { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] }),
    ],
    pod: testPod({ tolerations: [{ key: 'k', value: 'v' }] }),
    results: ['fits', `${never}node(s) had untolerated taint(s)`, 'fits'],
  },
  'node selector': {
    plugin: nodeAffinity,
    nodes: zones,
    pod: testPod({ nodeSelector: { zone: '2' } }),
    results: [
      `${never}node(s) didn't match Pod's node affinity/selector`,
      'fits',
      `${never}node(s) didn't match Pod's node affinity/selector`,
    ],
  },
  'node affinity by name': {
    plugin: nodeAffinity,
    nodes: zones,
    pod: testPod({ affinity: inField(['c']) }),
    results: [
      `${never}node(s) didn't match Pod's node affinity/selector`,
      `${never}node(s) didn't match Pod's node affinity/selector`,
      'fits',
    ],
  },
  'node affinity that contradicts itself': {
    plugin: nodeAffinity,
    nodes: [testNode('a')],
    pod: testPod({ affinity: inField([]) }),
    results: [`${never}pod affinity terms conflict`],
  },
  'host ports: all addresses conflict with each': {
    plugin: nodePorts,
    nodes: [testNode('a'), testNode('b'), testNode('c')],
    pods: { a: [testPod({ name: 'x', containers: ports(80) })], b: [testPod({ name: 'y', containers: ports(80, '10.0.0.1') })] },
    pod: testPod({ containers: ports(80, '10.0.0.2') }),
    results: [`${now}node(s) didn't have free ports for the requested pod ports`, 'fits', 'fits'],
  },
  'affinity: nodes must have the topology, and a matching pod in it': {
    plugin: interPodAffinity,
    nodes: zones,
    pods: { b: [testPod({ name: 'x', labels: { app: 'web' } })] },
    pod: testPod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term('web')] } } }),
    results: [`${never}node(s) didn't match pod affinity rules`, 'fits', `${never}node(s) didn't match pod affinity rules`],
  },
  'affinity: the first pod of a group may go anywhere': {
    plugin: interPodAffinity,
    nodes: zones,
    pod: testPod({ labels: { app: 'web' }, affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term('web')] } } }),
    results: ['fits', 'fits', `${never}node(s) didn't match pod affinity rules`],
  },
  'anti-affinity of the pod': {
    plugin: interPodAffinity,
    nodes: zones,
    pods: { a: [testPod({ name: 'x', labels: { app: 'web' } })] },
    pod: testPod({ affinity: repelling }),
    results: [`${now}node(s) didn't match pod anti-affinity rules`, 'fits', 'fits'],
  },
  'anti-affinity of a pod that runs': {
    plugin: interPodAffinity,
    nodes: zones,
    pods: { a: [testPod({ name: 'x', affinity: repelling })] },
    pod: testPod({ labels: { app: 'web' } }),
    results: [`${now}node(s) didn't satisfy existing pods anti-affinity rules`, 'fits', 'fits'],
  },
  'spreading: the skew may not exceed the limit': {
    plugin: podTopologySpread,
    nodes: zones,
    pods: { a: [testPod({ name: 'x', labels: { app: 'web' } })] },
    pod: testPod({
      labels: { app: 'web' },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: app('web') }],
    }),
    results: [
      `${now}node(s) didn't match pod topology spread constraints`,
      'fits',
      `${never}node(s) didn't match pod topology spread constraints (missing required label)`,
    ],
  },
  'spreading: fewer domains than wanted count as empty ones': {
    plugin: podTopologySpread,
    nodes: zones.slice(0, 2),
    pods: { a: [testPod({ name: 'x', labels: { app: 'web' } })], b: [testPod({ name: 'y', labels: { app: 'web' } })] },
    pod: testPod({
      labels: { app: 'web' },
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: app('web'), minDomains: 3 },
      ],
    }),
    results: [`${now}node(s) didn't match pod topology spread constraints`, `${now}node(s) didn't match pod topology spread constraints`],
  },
};

test.each(Object.entries(cases))('%s', (_, { plugin, nodes, pods = {}, pod, results }) => {
  const handle = testHandle(testCache(nodes, pods));
  const found = filterAll(testFramework(plugin, handle), handle, pod);
  expect(nodes.map(({ metadata }) => found[metadata.name ?? ''])).toEqual(results);
});
