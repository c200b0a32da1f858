import { hasStatus } from '../../client/index.ts';
import { parseTime } from '../../meta/index.ts';
import { type corev1, corev1Nodes, corev1Pods } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { nodeCondition } from '../nodes/index.ts';
import { type Disruption, isPodTerminal, patchDisruption } from '../pods/index.ts';
import { runPeriodically } from '../run-periodically.ts';

const name = 'pod-garbage-collector-controller';
const periodMs = 20_000;
/** Time for which a node must not exist before its pods are deleted (upstream quarantineTime). */
const quarantineMs = 40_000;
/** Ended pods that are retained (--terminated-pod-gc-threshold). */
const maxTerminated = 12_500;

const nodeDeleted: Disruption = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' };

/** Deletes pods that no kubelet deletes. Cf. pkg/controller/podgc. */
export const podGarbageCollector: Controller = (context) => {
  const { client, clock, informers, log, product } = context;
  const pods = informers.informer(corev1Pods);
  const nodes = informers.informer(corev1Nodes);
  const writer = client.resource(corev1Pods);
  const outOfService = product.rename('node.kubernetes.io/out-of-service');
  /** When nodes were found missing. */
  const missing = new Map<string, number>();

  const remove = async (pod: corev1.Pod, disruption?: Disruption): Promise<void> => {
    const { name: podName = '', namespace = '' } = pod.metadata;
    try {
      const failure = disruption ? { phase: 'Failed', disruption } : { phase: 'Failed' };
      if (!isPodTerminal(pod)) await patchDisruption(pod, failure, writer, clock.nowMs());
      await writer.delete({ name: podName, namespace }, { gracePeriodSeconds: 0 });
    } catch (error) {
      if (!hasStatus(error, 404)) log.warn('controller failed', { name, item: `${namespace}/${podName}`, error });
    }
  };

  /** The nodes whose absence is certain. Cf. discoverDeletedNodes. */
  const findDeletedNodes = async (all: readonly corev1.Pod[]): Promise<ReadonlySet<string>> => {
    const nowMs = clock.monotonicMs();
    const absent = new Set(all.map(({ spec }) => spec.nodeName ?? '').filter((node) => node !== '' && !nodes.store.has(node)));
    for (const node of missing.keys()) if (!absent.has(node)) missing.delete(node);
    const deleted = new Set<string>();
    for (const node of absent) {
      const sinceMs = missing.get(node) ?? nowMs;
      missing.set(node, sinceMs);
      if (nowMs - sinceMs < quarantineMs) continue;
      if (!(await client.resource(corev1Nodes).getIfExists({ name: node }))) deleted.add(node);
    }
    return deleted;
  };

  const collect = async (): Promise<void> => {
    const all = pods.store.list();
    for (const pod of excessPods(all)) await remove(pod);
    for (const pod of all.filter((one) => isOutOfService(one, nodes.store.get(one.spec.nodeName ?? ''), outOfService))) await remove(pod);
    const deleted = await findDeletedNodes(all);
    for (const pod of all) if (deleted.has(pod.spec.nodeName ?? '')) await remove(pod, nodeDeleted);
    for (const pod of all) if (pod.metadata.deletionTimestamp !== undefined && !pod.spec.nodeName) await remove(pod);
  };
  void Promise.all([pods.synced, nodes.synced]).then(() => runPeriodically(name, periodMs, collect, context));
};

/** Whether a pod terminates on a node that is shut down. Cf. gcTerminating. */
function isOutOfService({ metadata }: corev1.Pod, node: corev1.Node | undefined, taint: string): boolean {
  if (metadata.deletionTimestamp === undefined || !node) return false;
  return nodeCondition(node, 'Ready')?.status !== 'True' && (node.spec.taints ?? []).some(({ key }) => key === taint);
}

/** The terminal pods over the limit, the oldest first. Cf. gcTerminated. */
function excessPods(all: readonly corev1.Pod[]): readonly corev1.Pod[] {
  const terminated = all.filter(isPodTerminal);
  if (terminated.length <= maxTerminated) return [];
  const createdMs = ({ metadata }: corev1.Pod): number => parseTime(metadata.creationTimestamp ?? '') ?? 0;
  return [...terminated].sort((a, b) => createdMs(a) - createdMs(b)).slice(0, terminated.length - maxTerminated);
}
