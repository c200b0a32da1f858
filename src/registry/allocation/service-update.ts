import { type Json, sameJson } from '../../meta/index.ts';
import { withMembers } from '../strategies/kind-row.ts';
import {
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePort,
  type ServicePort,
  type ServiceSpec,
  supportsNodePorts,
} from './service-spec.ts';

/**
 * Restores allocated values that an update omits. Cf. upstream patchAllocatedValues.
 */
export function withAllocatedValues(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const changes: Record<string, Json> = {};
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    const address = (spec.clusterIP ?? '') || (old.clusterIP ?? '');
    if (address !== '') changes['clusterIP'] = address;
    if ((spec.clusterIPs ?? []).length === 0 && (old.clusterIPs ?? []).length > 0) changes['clusterIPs'] = old.clusterIPs ?? [];
  }
  if (needsNodePort(old) && needsNodePort(spec) && (spec.ports ?? []).length > 0) changes['ports'] = portsWithNumbers(spec, old);
  if (needsHealthCheckPort(old) && needsHealthCheckPort(spec) && (spec.healthCheckNodePort ?? 0) === 0)
    changes['healthCheckNodePort'] = old.healthCheckNodePort ?? 0;
  return withMembers(spec, changes);
}

/** Node ports are matched by port name, unless another port uses them. */
function portsWithNumbers(spec: ServiceSpec, old: ServiceSpec): readonly ServicePort[] {
  const numbers = new Map((old.ports ?? []).map((port) => [port.name ?? '', port.nodePort ?? 0]));
  const used = new Set((spec.ports ?? []).map((port) => port.nodePort ?? 0));
  return (spec.ports ?? []).map((port) => {
    const before = numbers.get(port.name ?? '') ?? 0;
    return (port.nodePort ?? 0) === 0 && before !== 0 && !used.has(before) ? withMembers(port, { nodePort: before }) : port;
  });
}

/** Old clients know only `clusterIP`: `clusterIPs` is set from it. Cf. upstream normalizeClusterIPs. */
export function withBothAddressFields(spec: ServiceSpec, old: ServiceSpec | undefined): ServiceSpec {
  const [address, addresses] = [spec.clusterIP ?? '', spec.clusterIPs ?? []];
  if (!old) return address !== '' && addresses.length === 0 ? withMembers(spec, { clusterIPs: [address] }) : spec;
  const [oldAddress, oldAddresses] = [old.clusterIP ?? '', old.clusterIPs ?? []];
  if (oldAddresses.length > 0 && addresses.length === 0 && oldAddress === address)
    return withMembers(spec, { clusterIPs: oldAddresses.length > 0 ? oldAddresses : undefined });
  if (oldAddress === address || !sameJson(oldAddresses, addresses)) return spec;
  return withMembers(spec, { clusterIPs: address === '' ? undefined : [address] });
}

/** Fields that belong to some Services only. */
interface DependentFields {
  /** Whether a Service has the fields. */
  readonly of: (spec: ServiceSpec) => boolean;
  readonly fields: readonly (keyof ServiceSpec)[];
  /** Dropped with them. */
  readonly others?: readonly (keyof ServiceSpec)[];
}

const dependentFields: readonly DependentFields[] = [
  { of: needsClusterIp, fields: ['clusterIP', 'clusterIPs'], others: ['ipFamilies', 'ipFamilyPolicy'] },
  { of: needsClusterIp, fields: ['internalTrafficPolicy'] },
  { of: needsHealthCheckPort, fields: ['healthCheckNodePort'] },
  { of: isBalanced, fields: ['allocateLoadBalancerNodePorts'] },
  { of: isBalanced, fields: ['loadBalancerClass'] },
  { of: isExternal, fields: ['externalTrafficPolicy'] },
];

/** Drops fields that the new type does not have, when the update leaves them unchanged. Cf. upstream dropTypeDependentFields. */
export function withoutTypeDependentFields(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const changes: Record<string, Json | undefined> = {};
  for (const { of, fields, others = [] } of dependentFields) {
    if (!of(old) || of(spec) || !fields.every((name) => sameJson(spec[name], old[name]))) continue;
    for (const name of [...fields, ...others]) changes[name] = undefined;
  }
  if (supportsNodePorts(old) && !supportsNodePorts(spec) && sameNodePorts(spec, old))
    changes['ports'] = (spec.ports ?? []).map((port) => withMembers(port, { nodePort: undefined }));
  return withMembers(spec, changes);
}

function isBalanced(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer';
}

/** Whether the Service is externally accessible, so that externalTrafficPolicy applies. */
function isExternal(spec: ServiceSpec): boolean {
  const type = spec.type ?? '';
  return type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
}

function sameNodePorts(spec: ServiceSpec, old: ServiceSpec): boolean {
  const numbers = (of: ServiceSpec): readonly number[] =>
    (of.ports ?? [])
      .map((port) => port.nodePort ?? 0)
      .filter((port) => port !== 0)
      .sort((a, b) => a - b);
  return sameJson(numbers(spec), numbers(old));
}
