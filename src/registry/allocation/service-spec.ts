import { type ApiObject, type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';
import { type AddressNumber, addressNumber } from './service-ranges.ts';

/** Predicates and accessors of a Service's spec. Cf. upstream pkg/registry/core/service and pkg/apis/core/v1/helper. */

export const noAddress = 'None';

export function specOf(service: ApiObject | undefined): JsonObject {
  return recordAt(service, 'spec');
}

export function portNumber(object: JsonObject, name: string): number {
  const value = object[name];
  return typeof value === 'number' ? value : 0;
}

/** Every type but ExternalName, unknown ones included. */
export function needsClusterIp(spec: JsonObject): boolean {
  return textAt(spec, 'type') !== 'ExternalName';
}

/** Whether the type has node ports, whether or not they are allocated. */
export function supportsNodePorts(spec: JsonObject): boolean {
  return ['NodePort', 'LoadBalancer'].includes(textAt(spec, 'type'));
}

export function needsNodePort(spec: JsonObject): boolean {
  const type = textAt(spec, 'type');
  return type === 'NodePort' || (type === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
}

export function needsHealthCheckPort(spec: JsonObject): boolean {
  return textAt(spec, 'type') === 'LoadBalancer' && textAt(spec, 'externalTrafficPolicy') === 'Local';
}

export function isHeadless(spec: JsonObject): boolean {
  return textsAt(spec, 'clusterIPs')[0] === noAddress;
}

/** The cluster IPs of a Service, of any family. */
export function serviceAddresses(service: ApiObject): readonly string[] {
  return isHeadless(specOf(service)) ? [] : textsAt(specOf(service), 'clusterIPs').filter((address) => address !== '');
}

/** The addresses and ports that a stored Service occupies. */
export interface ServiceHoldings {
  readonly addresses: readonly AddressNumber[];
  readonly nodePorts: readonly number[];
}

export function holdingsOf(service: ApiObject): ServiceHoldings {
  const spec = specOf(service);
  const addresses = textsAt(spec, 'clusterIPs').map(addressNumber);
  const health = portNumber(spec, 'healthCheckNodePort');
  const ports = objectsAt(spec, 'ports').map((port) => portNumber(port, 'nodePort'));
  return {
    addresses: addresses.filter((address) => address !== undefined),
    nodePorts: [...new Set([...ports, health])].filter((port) => port !== 0),
  };
}
