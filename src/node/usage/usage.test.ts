import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { type ContainerUsage, PodUsage } from './pod-usage.ts';
import { loadOf } from './process-load.ts';

const product = { rename: (text: string): string => text };
const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };

function podOf(name: string, container: Partial<corev1.Container>, metadata: object = {}): corev1.Pod {
  return {
    metadata: { name, namespace: 'ns', uid: name, labels: { app: name.split('-')[0] }, ...metadata },
    spec: { containers: [{ name: 'c', image: 'redis', ...container }] },
    status: { containerStatuses: [{ name: 'c', state: running }], conditions: [{ type: 'Ready', status: 'True' }] },
  } as unknown as corev1.Pod;
}

function usageOf(pod: corev1.Pod, others: readonly corev1.Pod[] = [], services: readonly corev1.Service[] = []): ContainerUsage {
  const [usage] = new PodUsage([pod, ...others], services, product, 0).of(pod);
  if (!usage) throw new Error('the pod does not run');
  return usage;
}

const mebi = (usage: ContainerUsage): number => Math.round(usage.memoryBytes / 1024 / 1024);
const sh = (script: string): Partial<corev1.Container> => ({ image: 'busybox', command: ['sh', '-c', script] });
const limits = (resources: Record<string, string>): Partial<corev1.Container> => ({ resources: { limits: resources } });
const service = { metadata: { name: 'web', namespace: 'ns' }, spec: { selector: { app: 'web' } } } as unknown as corev1.Service;

test.each<[string, Partial<corev1.Container>, object, cpu: readonly [number, number], memory: readonly [number, number]]>([
  ['a server', {}, {}, [1.5, 2.5], [3, 5]],
  ['a shell that sleeps', sh('sleep 60'), {}, [0, 1], [0, 1]],
  ['a busy loop', sh('while true; do :; done'), {}, [850, 1150], [0, 1]],
  ['a busy loop with a limit', { ...sh('while true; do :; done'), ...limits({ cpu: '200m' }) }, {}, [200, 200], [0, 1]],
  ['stress', { image: 'polinux/stress', command: ['stress'], args: ['--cpu', '2'] }, {}, [1700, 2300], [0, 1]],
  ['memory', { image: 'polinux/stress', command: ['stress', '--vm', '1', '--vm-bytes', '150M'] }, {}, [850, 1150], [150, 151]],
  ['memory of a limit', limits({ memory: '2Mi' }), {}, [1.5, 2.5], [2, 2]],
  ['annotations', {}, { annotations: { 'kwok.x-k8s.io/usage-cpu': '300m', 'kwok.x-k8s.io/usage-memory': '64Mi' } }, [300, 300], [64, 64]],
  ['an annotation that is no quantity', {}, { annotations: { 'kwok.x-k8s.io/usage-cpu': 'much' } }, [0, 0], [3, 5]],
])('%s', (_, container, metadata, cpu, memory) => {
  const usage = usageOf(podOf('web', container, metadata));
  expect(usage.cpuMilli).toBeGreaterThanOrEqual(cpu[0]);
  expect(usage.cpuMilli).toBeLessThanOrEqual(cpu[1]);
  expect(mebi(usage)).toBeGreaterThanOrEqual(memory[0]);
  expect(mebi(usage)).toBeLessThanOrEqual(memory[1]);
});

test('requests of clients are divided among the ready pods of the Service', () => {
  const client = podOf('load', sh('while sleep 0.01; do wget -q -O- http://web; done'));
  const [first, second] = [podOf('web-1', {}), podOf('web-2', {})];
  const alone = usageOf(first, [client], [service]).cpuMilli;
  const shared = usageOf(first, [second, client], [service]).cpuMilli;
  expect(alone).toBeGreaterThan(400);
  expect(alone / shared).toBeCloseTo(2, 1);
  expect(usageOf(podOf('other', {}), [first, client], [service]).cpuMilli).toBeLessThan(3);
});

test.each([
  [['hey', '-z', '1m', 'http://web.shop/path'], { host: 'web.shop', perSecond: 100 }],
  [['curl', 'http://web'], undefined],
  [['sh', '-c', 'while true; do curl -s web; done'], undefined],
])('requests of %j', (words, expected) => {
  expect(loadOf(words).requests).toEqual(expected);
});
