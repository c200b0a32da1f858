import { matchesNode, repelsPods, requiredNodeAffinity, untoleratedTaint } from '../../component-helpers/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';

/** Whether a node should have a pod of a daemon set. */
export interface NodeEligibility {
  /** A pod is created when the node has none. */
  readonly shouldRun: boolean;
  /** An existing pod is not deleted. */
  readonly shouldContinue: boolean;
}

const never: NodeEligibility = { shouldRun: false, shouldContinue: false };

/**
 * The resources and conditions of the node are ignored. The template of the set has the tolerations of daemon pods. Cf.
 * pkg/controller/daemon NodeShouldRunDaemonPod.
 */
export function nodeEligibility({ metadata, spec }: Pick<corev1.Node, 'metadata' | 'spec'>, set: appsv1.DaemonSet): NodeEligibility {
  const pod = set.spec.template.spec;
  const { name = '', labels = {} } = metadata;
  if (pod.nodeName && pod.nodeName !== name) return never;
  const affinity = requiredNodeAffinity(pod);
  if (affinity && !matchesNode(affinity, { name, labels })) return never;
  const { taints = [] } = spec;
  const { tolerations = [] } = pod;
  return {
    shouldRun: !untoleratedTaint(taints, tolerations, repelsPods),
    shouldContinue: !untoleratedTaint(taints, tolerations, ({ effect }) => effect === 'NoExecute'),
  };
}
