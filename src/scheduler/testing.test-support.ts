import type { corev1 } from '../schema/api/index.ts';
import { SchedulerCache } from './cache/scheduler-cache.ts';
import { PodInfo } from './framework/pod-info.ts';

type PodParts = { readonly name?: string; readonly labels?: Record<string, string>; readonly status?: Partial<corev1.PodStatus> } & Partial<
  Omit<corev1.PodSpec, 'containers'>
> & { readonly requests?: Record<string, string>; readonly containers?: readonly object[] };

/** A pod for tests, with one container. */
export function testPod({ name = 'pod', labels = {}, status = {}, requests, containers, ...spec }: PodParts = {}): PodInfo {
  const container = { name: 'c', image: 'image', resources: requests ? { requests } : {} };
  return new PodInfo({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, labels },
    spec: { schedulerName: 'default-scheduler', ...spec, containers: (containers ?? [container]) as readonly corev1.Container[] },
    status,
  });
}

type NodeParts = {
  readonly labels?: Record<string, string>;
  readonly allocatable?: Record<string, string>;
  readonly images?: readonly corev1.ContainerImage[];
} & Partial<corev1.NodeSpec>;

export function testNode(name: string, { labels = {}, allocatable, images = [], ...spec }: NodeParts = {}): corev1.Node {
  return {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: {
      allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable },
      images,
      daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      nodeInfo: {} as corev1.NodeSystemInfo,
    },
  };
}

/** A cache with nodes, and pods by node. */
export function testCache(nodes: readonly corev1.Node[], pods: Readonly<Record<string, readonly PodInfo[]>> = {}): SchedulerCache {
  const cache = new SchedulerCache({ rename: (text) => text });
  for (const node of nodes) cache.setNode(node);
  for (const [node, assigned] of Object.entries(pods)) for (const pod of assigned) cache.assume(pod, node);
  return cache;
}
