import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { osLabelRejection, rejectionOf } from './admit.ts';

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1', labels: { zone: 'a' } },
  spec: {
    taints: [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b', value: 'c', effect: 'NoExecute' },
    ],
  },
  status: { allocatable: { cpu: '1', pods: '2', 'example.com/a': '1' } },
} as unknown as corev1.Node;
const container: corev1.Container = { name: 'c', image: 'i', resources: {} };
const podWith = (spec: Partial<corev1.PodSpec>): corev1.Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [container], tolerations: [{ key: 'b', operator: 'Exists' }], ...spec },
  status: {},
});
const withRequest = (resource: string, amount: string): corev1.Pod =>
  podWith({ containers: [{ ...container, resources: { requests: { [resource]: amount } } }] });
const withCpu = (cpu: string): corev1.Pod => withRequest('cpu', cpu);
const withPort = (port: Omit<corev1.ContainerPort, 'containerPort'>): corev1.Pod =>
  podWith({ containers: [{ ...container, ports: [{ containerPort: 80, ...port }] }] });
const any = podWith({});

test.each<[string, corev1.Pod, readonly corev1.Pod[], string | undefined]>([
  ['a pod that fits', withCpu('500m'), [withCpu('500m')], undefined],
  ['a pod of more CPU than is left', withCpu('600m'), [withCpu('500m')], 'OutOfcpu'],
  ['an extended resource that is left', withRequest('example.com/a', '1'), [any], undefined],
  ['an extended resource that is taken', withRequest('example.com/a', '1'), [withRequest('example.com/a', '1')], 'OutOfexample.com/a'],
  ['an extended resource of the cluster', withRequest('example.com/b', '1'), [], undefined],
  ['more pods than allowed', any, [any, any], 'OutOfpods'],
  ['a pod for nodes with another label', podWith({ nodeSelector: { zone: 'b' } }), [], 'NodeAffinity'],
  ['a host port that is taken', withPort({ hostPort: 8080 }), [withPort({ hostPort: 8080 })], 'NodePorts'],
  ['a host port of another protocol', withPort({ hostPort: 53, protocol: 'UDP' }), [withPort({ hostPort: 53 })], undefined],
  [
    'a host port of another address',
    withPort({ hostPort: 53, hostIP: '10.0.0.1' }),
    [withPort({ hostPort: 53, hostIP: '10.0.0.2' })],
    undefined,
  ],
  ['a host port that is taken on all addresses', withPort({ hostPort: 53, hostIP: '10.0.0.1' }), [withPort({ hostPort: 53 })], 'NodePorts'],
  ['a safe sysctl', podWith({ securityContext: { sysctls: [{ name: 'net/ipv4/tcp_rmem', value: '1' }] } }), [], undefined],
  [
    'a sysctl whose slash is part of a name',
    podWith({ securityContext: { sysctls: [{ name: 'net.ipv4/tcp_rmem', value: '1' }] } }),
    [],
    'SysctlForbidden',
  ],
  ['a sysctl of the node', podWith({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }), [], 'SysctlForbidden'],
  ['an untolerated taint of the effect NoExecute', podWith({ tolerations: [] }), [], 'TaintToleration'],
  ['a pod of another operating system', podWith({ os: { name: 'windows' } }), [], 'PodOSNotSupported'],
])('a kubelet and %s', (_, pod, others, reason) => {
  expect(rejectionOf(pod, node, others)?.reason).toBe(reason);
});

test('the messages of a kubelet about pods that it refuses', () => {
  const message = (pod: corev1.Pod, others: readonly corev1.Pod[] = []): string | undefined => rejectionOf(pod, node, others)?.message;
  expect(message(withRequest('example.com/a', '2'), [any])).toBe(
    "Node didn't have enough resource: example.com/a, requested: 2, used: 0, capacity: 1",
  );
  expect(message(podWith({ nodeSelector: { zone: 'b' } }))).toBe(
    "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  );
  expect(message(podWith({ tolerations: [] }))).toBe("Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate");
});

test.each([
  ['kubernetes', 'kubernetes.io/os', 'windows', "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"],
  ['kubernetes', 'kubernetes.io/os', 'linux', undefined],
  ['svc', 'svc/os', 'windows', "Failed to admit pod as the `svc/os` label doesn't match node label"],
] as const)('a pod with the label of an operating system (%s, %s=%s)', (names, label, value, message) => {
  const labelled = { metadata: { name: 'web', labels: { [label]: value } } };
  expect(osLabelRejection(labelled, productByName(names))?.message).toBe(message);
});
