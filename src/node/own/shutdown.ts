import { nodeStateAnnotation } from '../../meta/index.ts';
import { corev1Nodes } from '../../schema/api/index.ts';
import { ignoreMissing } from '../ignore-missing.ts';
import type { NodeContext } from '../node-context.ts';
import type { OwnNode } from './own-node.ts';
import type { OwnPods } from './own-pods.ts';
import { isCritical } from './rank-pods.ts';

/** Grace periods of a shutdown: for all pods, then for critical ones. Cf. shutdownGracePeriod, shutdownGracePeriodCriticalPods. */
const graceSeconds = 20;
const criticalGraceSeconds = 10;

const message = 'Pod was terminated in response to imminent node shutdown.';

/**
 * Ends the pods of a node, critical ones last, then the node. Returns whether it must be called again. Cf. pkg/kubelet/nodeshutdown
 * podManager.killPods.
 */
export async function shutDown(node: OwnNode, startedMs: number, pods: OwnPods, context: NodeContext): Promise<boolean> {
  const { client, clock, product } = context;
  const all = pods.livingPods(node);
  const isRegularTime = clock.nowMs() < startedMs + graceSeconds * 1000;
  const regular = all.filter((pod) => !isCritical(pod, product));
  const isOver = clock.nowMs() >= startedMs + (graceSeconds + criticalGraceSeconds) * 1000;
  if (isOver || all.length === 0) {
    const change = { metadata: { annotations: { [nodeStateAnnotation]: 'stopped' } } };
    await ignoreMissing(client.resource(corev1Nodes).patch({ name: node.name }, 'merge', change));
    return false;
  }
  const [ending, limitSeconds] = isRegularTime && regular.length > 0 ? [regular, graceSeconds] : [all, criticalGraceSeconds];
  for (const pod of ending) {
    const grace = Math.min(pod.spec.terminationGracePeriodSeconds ?? 30, limitSeconds);
    pods.fail(pod, { reason: 'Terminated', message, graceSeconds: grace, isDisruption: true });
  }
  return true;
}
