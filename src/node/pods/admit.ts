import {
  amountOf,
  conflictsWith,
  hostPortsOf,
  matchesNode,
  podRequests,
  requiredNodeAffinity,
  sysctlName,
  untoleratedTaint,
} from '../../component-helpers/index.ts';
import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** Why a node refuses a pod that is bound to it. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** The order in which resources are compared; others follow. */
const firstResources = ['cpu', 'memory', 'ephemeral-storage'];

/** Sysctls that concern a pod alone. Cf. pkg/kubelet/sysctl SafeSysctlAllowlist. */
const safeSysctls =
  /^(kernel\.shm_rmid_forced|net\.ipv4\.(ip_(local_port_range|local_reserved_ports|unprivileged_port_start)|ping_group_range|tcp_(syncookies|keepalive_(time|intvl|probes)|fin_timeout|[rw]mem)))$/;

const failed = (reason: string, why: string): Rejection => ({ reason, message: `Predicate ${reason} failed: node(s) ${why}` });

/** Cf. pkg/kubelet/lifecycle predicateAdmitHandler, generalFilter. */
export function rejectionOf(pod: corev1.Pod, node: corev1.Node | undefined, others: readonly corev1.Pod[]): Rejection | undefined {
  if (!node) return undefined;
  const { securityContext, os, tolerations = [] } = pod.spec;
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
  for (const resource of new Set([...firstResources, ...requests.keys()])) {
    // Nodes do not know the resources of the cluster.
    const allocatableText = allocatable[resource];
    const requested = requests.get(resource) ?? 0;
    if (allocatableText === undefined || requested <= 0) continue;
    const capacity = amountOf(resource, allocatableText);
    const used = taken.reduce((sum, amounts) => sum + (amounts.get(resource) ?? 0), 0);
    if (used + requested > capacity) return insufficient(resource, requested, used, capacity);
  }
  const { name = '', labels = {} } = node.metadata;
  const affinity = requiredNodeAffinity(pod.spec);
  if (affinity && !matchesNode(affinity, { name, labels })) return failed('NodeAffinity', "didn't match Pod's node affinity/selector");
  const ports = others.flatMap(hostPortsOf);
  if (hostPortsOf(pod).some((port) => ports.some((other) => conflictsWith(port, other))))
    return failed('NodePorts', "didn't have free ports for the requested pod ports");
  const taint = untoleratedTaint(node.spec.taints ?? [], tolerations, ({ effect }) => effect === 'NoExecute');
  return taint && failed('TaintToleration', "had taints that the pod didn't tolerate");
}

/** A pod that has the label of another operating system. Cf. rejectPodAdmissionBasedOnOSSelector, which does not read the selector. */
export function osLabelRejection({ metadata }: Pick<corev1.Pod, 'metadata'>, { rename }: Pick<Product, 'rename'>): Rejection | undefined {
  const label = rename('kubernetes.io/os');
  if ((metadata.labels?.[label] ?? 'linux') === 'linux') return undefined;
  const message = `Failed to admit pod as the \`${label}\` label doesn't match node label`;
  return { reason: 'PodOSSelectorNodeLabelDoesNotMatch', message };
}
