import { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityInteger } from '../../meta/index.ts';
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
  const insufficient = (resource: string, requested: bigint, used: bigint, capacity: bigint): Rejection => ({
    reason: `OutOf${resource}`,
    message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  });
  const pods = BigInt(allocatable['pods'] ?? '110');
  if (BigInt(others.length) >= pods) return insufficient('pods', 1n, BigInt(others.length), pods);
  for (const resource of limited) {
    const capacity = allocatable[resource];
    const requested = requestOf(pod, resource);
    if (capacity === undefined || compareQuantities(requested, zero) <= 0) continue;
    const used = others.reduce((sum, other) => addQuantities(sum, requestOf(other, resource)), zero);
    if (compareQuantities(addQuantities(used, requested), parseQuantity(capacity)) <= 0) continue;
    const exponent = resource === 'cpu' ? -3 : 0;
    return insufficient(
      resource,
      quantityInteger(requested, exponent),
      quantityInteger(used, exponent),
      quantityInteger(parseQuantity(capacity), exponent),
    );
  }
  const { labels = {} } = node.metadata;
  const isSelected = Object.entries(pod.spec.nodeSelector ?? {}).every(([name, value]) => labels[name] === value);
  const mismatch = "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
  if (!isSelected) return { reason: 'NodeAffinity', message: mismatch };
  const message = "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";
  const taken = others.flatMap(hostPortsOf);
  return hostPortsOf(pod).some((port) => taken.some((other) => collides(port, other))) ? { reason: 'NodePorts', message } : undefined;
}

interface HostPort {
  readonly address: string;
  readonly protocol: string;
  readonly port: number;
}

function hostPortsOf({ spec }: corev1.Pod): readonly HostPort[] {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(spec.containers ?? []), ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .filter(({ hostPort = 0 }) => hostPort > 0)
    .map(({ hostIP = '', protocol = 'TCP', hostPort: port = 0 }) => ({ address: hostIP || anyAddress, protocol, port }));
}

const anyAddress = '0.0.0.0';

/** Cf. HostPortInfo.CheckConflict. */
function collides(a: HostPort, b: HostPort): boolean {
  const sameAddress = a.address === b.address || a.address === anyAddress || b.address === anyAddress;
  return sameAddress && a.protocol === b.protocol && a.port === b.port;
}

const zero = parseQuantity('0');

/** What a pod requests: init containers run one after the other, sidecars with all others. */
function requestOf({ spec }: corev1.Pod, resource: string): Quantity {
  const amountOf = ({ resources }: corev1.Container): Quantity => parseQuantity(resources?.requests?.[resource] ?? '0');
  let running = (spec.containers ?? []).reduce((sum, container) => addQuantities(sum, amountOf(container)), zero);
  let sidecars = zero;
  let starting = zero;
  for (const container of spec.initContainers ?? []) {
    const amount = amountOf(container);
    const together = addQuantities(sidecars, amount);
    if (compareQuantities(together, starting) > 0) starting = together;
    if (container.restartPolicy !== 'Always') continue;
    sidecars = together;
    running = addQuantities(running, amount);
  }
  return compareQuantities(starting, running) > 0 ? starting : running;
}
