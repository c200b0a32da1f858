import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { binaryQuantity } from './binary-quantity.ts';
import { NodePressure, signals } from './node-pressure.ts';
import { type Candidate, evictionReport, isCritical, pressureRejection, rankPods } from './rank-pods.ts';

const product = { rename: (text: string): string => text };
const [memory, disk] = signals;
if (!memory || !disk) throw new Error('signals are missing');

interface PodFacts {
  readonly request?: string;
  readonly priority?: number;
  readonly usedMi?: number;
  readonly qosClass?: string;
  readonly tolerations?: readonly object[];
  readonly annotations?: Readonly<Record<string, string>>;
}

function candidateOf(name: string, { request, priority = 0, usedMi = 0, qosClass = 'BestEffort', ...facts }: PodFacts): Candidate {
  const resources = request === undefined ? {} : { requests: { memory: request } };
  const { tolerations = [], annotations = {} } = facts;
  const pod = {
    metadata: { name, annotations },
    spec: { priority, tolerations, containers: [{ name: 'c', resources }] },
    status: { qosClass },
  } as unknown as corev1.Pod;
  return { pod, usages: [{ name: 'c', cpuMilli: 0, memoryBytes: usedMi * 1024 * 1024 }] };
}

test('pods that use more than they request are first, then those of low priority, then those of large usage', () => {
  const candidates = [
    candidateOf('within', { request: '500Mi', usedMi: 400, priority: -1 }),
    candidateOf('important', { usedMi: 900, priority: 10 }),
    candidateOf('small', { usedMi: 100 }),
    candidateOf('large', { request: '100Mi', usedMi: 300 }),
  ];
  const names = (signal: typeof memory): readonly (string | undefined)[] =>
    rankPods(candidates, signal).map(({ pod }) => pod.metadata.name);
  expect(names(memory)).toEqual(['large', 'small', 'important', 'within']);
  expect(names(disk)).toEqual(['within', 'small', 'large', 'important']);
});

const messageOf = (...call: Parameters<typeof evictionReport>): string => evictionReport(...call).message;

test('the message of an eviction', () => {
  const threshold = { quantity: 100 * 1024 * 1024, available: 51_200 * 1024 };
  const start = 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. ';
  const container = 'Container c was using 300Mi, request is 100Mi, has larger consumption of memory. ';
  expect(messageOf(candidateOf('a', { request: '100Mi', usedMi: 300 }), memory, threshold)).toBe(start + container);
  expect(messageOf(candidateOf('a', { request: '1Gi', usedMi: 300 }), memory, threshold)).toBe(start);
  const threshold10 = { quantity: disk.threshold(100 * 1024 ** 3), available: 5 * 1024 ** 3 };
  expect(messageOf(candidateOf('a', {}), disk, threshold10)).toBe(
    'The node was low on resource: ephemeral-storage. Threshold quantity: 10737418400, available: 5Gi. Container c was using 48Ki, request is 0, has larger consumption of ephemeral-storage. ',
  );
});

test('the event of an eviction names the pod and the containers that use more than they request', () => {
  const { pod, usages } = candidateOf('a', { request: '100Mi', usedMi: 300 });
  const limited = { ...pod, spec: { ...pod.spec, resources: { requests: { memory: '200Mi' } } } } as unknown as corev1.Pod;
  const { message, annotations } = evictionReport({ pod: limited, usages }, memory, { quantity: 1024, available: 0 });
  expect(message).toContain('available: 0. Pod a was using 300Mi, request is 200Mi, has larger consumption of memory. Container c was');
  expect(annotations).toEqual({
    offending_pod: 'a',
    offending_pod_usage: '300Mi',
    offending_containers: 'c',
    offending_containers_usage: '300Mi',
    starved_resource: 'memory',
  });
});

test.each([
  [0, '0'],
  [1000, '1000'],
  [1024, '1Ki'],
  [1536 * 1024, '1536Ki'],
  [3 * 1024 ** 3, '3Gi'],
])('%d is %s', (amount, text) => {
  expect(binaryQuantity(amount)).toBe(text);
});

test.each<[string, PodFacts, readonly string[], string | undefined]>([
  ['no pressure', {}, [], undefined],
  ['BestEffort', {}, ['MemoryPressure'], 'The node had condition: [MemoryPressure]. '],
  ['Burstable', { qosClass: 'Burstable' }, ['MemoryPressure'], undefined],
  ['a toleration', { tolerations: [{ operator: 'Exists' }] }, ['MemoryPressure'], undefined],
  ['disk pressure', { qosClass: 'Burstable' }, ['DiskPressure'], 'The node had condition: [DiskPressure]. '],
  ['a critical pod', { priority: 2_000_000_000 }, ['DiskPressure'], undefined],
  ['several', {}, ['MemoryPressure', 'PIDPressure'], 'The node had condition: [MemoryPressure PIDPressure]. '],
])('admission with pressure: %s', (_, facts, pressures, message) => {
  expect(pressureRejection(candidateOf('a', facts).pod, pressures, product)?.message).toBe(message);
});

test('static pods are critical', () => {
  expect(isCritical(candidateOf('a', { annotations: { 'kubernetes.io/config.mirror': 'x' } }).pod, product)).toBe(true);
});

test('a condition lasts five minutes longer than its signal', () => {
  const pressure = new NodePressure();
  for (const nowMs of [0, 10_000]) pressure.observe('MemoryPressure', nowMs);
  expect(pressure.at(300_000)).toEqual(['MemoryPressure']);
  expect(pressure.at(310_000)).toEqual([]);
});
