import {
  amountOf,
  conflictsWith,
  hostPortsOf,
  matchesNode,
  podRequests,
  requiredNodeAffinity,
  sysctlName,
} from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** Why a node refuses a pod that is bound to it. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** Resources of which a node has a limited amount. */
const limited = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** Sysctls that concern a pod alone. Cf. pkg/kubelet/sysctl SafeSysctlAllowlist. */
const safeSysctls =
  /^(kernel\.shm_rmid_forced|net\.ipv4\.(ip_(local_port_range|local_reserved_ports|unprivileged_port_start)|ping_group_range|tcp_(syncookies|keepalive_(time|intvl|probes)|fin_timeout|[rw]mem)))$/;

/** Cf. pkg/kubelet/lifecycle predicateAdmitHandler. */
export function rejectionOf(pod: corev1.Pod, node: corev1.Node | undefined, others: readonly corev1.Pod[]): Rejection | undefined {
  if (!node) return undefined;
  const { securityContext, os } = pod.spec;
  const forbidden = securityContext?.sysctls?.map((one) => sysctlName(one.name)).find((one) => !safeSysctls.test(one));
  if (forbidden !== undefined) return { reason: 'SysctlForbidden', message: `forbidden sysctl: "${forbidden}" not allowlisted` };
  if (os && os.name !== 'linux')
    return { reason: 'PodOSNotSupported', message: "Failed to admit pod as the OS field doesn't match node OS" };
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
