import { amountOf, conflictsWith, hostPortsOf, matchesNode, podRequests, requiredNodeAffinity } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** Why a node refuses a pod that is bound to it. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** Resources of which a node has a limited amount. */
const limited = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** Cf. pkg/kubelet/lifecycle predicateAdmitHandler. */
export function rejectionOf(pod: corev1.Pod, node: corev1.Node | undefined, others: readonly corev1.Pod[]): Rejection | undefined {
  if (!node) return undefined;
  const { allocatable = {} } = node.status;
  const insufficient = (resource: string, requested: number, used: number, capacity: number): Rejection => ({
    reason: `OutOf${resource}`,
    message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  });
  const pods = amountOf('pods', allocatable['pods'] ?? '110');
  if (others.length >= pods) return insufficient('pods', 1, others.length, pods);
  const [requests, taken] = [podRequests(pod), others.map((other) => podRequests(other))];
  for (const resource of limited) {
    const allocatableText = allocatable[resource];
    const requested = requests.get(resource) ?? 0;
    if (allocatableText === undefined || requested <= 0) continue;
    const capacity = amountOf(resource, allocatableText);
    const used = taken.reduce((sum, amounts) => sum + (amounts.get(resource) ?? 0), 0);
    if (used + requested > capacity) return insufficient(resource, requested, used, capacity);
  }
  const { name = '', labels = {} } = node.metadata;
  const affinity = requiredNodeAffinity(pod.spec);
  const mismatch = "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
  if (affinity && !matchesNode(affinity, { name, labels })) return { reason: 'NodeAffinity', message: mismatch };
  const message = "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";
  const ports = others.flatMap(hostPortsOf);
  return hostPortsOf(pod).some((port) => ports.some((other) => conflictsWith(port, other))) ? { reason: 'NodePorts', message } : undefined;
}
