import { compareByCreation } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { isPodTerminal } from '../pods/index.ts';
import { targetNode } from './daemon-pod.ts';

/** The pods of a daemon set by the names of their nodes. */
export type NodePods = ReadonlyMap<string, readonly corev1.Pod[]>;

/** Without terminal pods that are being deleted. Cf. getNodesToDaemonPods. */
export function groupByNode(pods: readonly corev1.Pod[]): NodePods {
  const groups = new Map<string, corev1.Pod[]>();
  for (const pod of pods) {
    const node = targetNode(pod);
    if (node === undefined || (isPodTerminal(pod) && isTerminating(pod))) continue;
    groups.set(node, [...(groups.get(node) ?? []), pod]);
  }
  return groups;
}

export function isTerminating({ metadata }: Pick<corev1.Pod, 'metadata'>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Scheduled pods first, then by age and name. Cf. podByCreationTimestampAndPhase. */
export function byAge(pods: readonly corev1.Pod[]): readonly corev1.Pod[] {
  return pods.toSorted((a, b) => Number(Boolean(b.spec.nodeName)) - Number(Boolean(a.spec.nodeName)) || compareByCreation(a, b));
}
