import type { ApiObject } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { type AddressNumber, addressNumber } from './service-ranges.ts';

/** Predicates and accessors of a Service's spec. Cf. upstream pkg/registry/core/service and pkg/apis/core/v1/helper. */

export const noAddress = 'None';

export type ServiceSpec = Decoded<corev1.ServiceSpec>;
export type ServicePort = Decoded<corev1.ServicePort>;

export function specOf(service: Decoded<corev1.Service> | undefined): ServiceSpec {
  return service?.spec ?? {};
}

/** Every type but ExternalName, unknown ones included. */
export function needsClusterIp(spec: ServiceSpec): boolean {
  return (spec.type ?? '') !== 'ExternalName';
}

/** Whether the type has node ports, whether or not they are allocated. */
export function supportsNodePorts(spec: ServiceSpec): boolean {
  return ['NodePort', 'LoadBalancer'].includes(spec.type ?? '');
}

export function needsNodePort(spec: ServiceSpec): boolean {
  const type = spec.type ?? '';
  return type === 'NodePort' || (type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheckPort(spec: ServiceSpec): boolean {
  return (spec.type ?? '') === 'LoadBalancer' && (spec.externalTrafficPolicy ?? '') === 'Local';
}

export function isHeadless(spec: ServiceSpec): boolean {
  return (spec.clusterIPs ?? [])[0] === noAddress;
}

/** The cluster IPs of a Service, of any family. */
export function serviceAddresses(service: ApiObject): readonly string[] {
  return isHeadless(specOf(service)) ? [] : (specOf(service).clusterIPs ?? []).filter((address) => address !== '');
}

/** The addresses and ports that a stored Service occupies. */
export interface ServiceHoldings {
  readonly addresses: readonly AddressNumber[];
  readonly nodePorts: readonly number[];
}

export function holdingsOf(service: ApiObject): ServiceHoldings {
  const spec = specOf(service);
  const addresses = (spec.clusterIPs ?? []).map(addressNumber);
  const health = spec.healthCheckNodePort ?? 0;
  const ports = (spec.ports ?? []).map((port) => port.nodePort ?? 0);
  return {
    addresses: addresses.filter((address) => address !== undefined),
    nodePorts: [...new Set([...ports, health])].filter((port) => port !== 0),
  };
}
