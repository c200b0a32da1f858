import { sameJson } from '../../meta/index.ts';
import type { discoveryv1 } from '../../schema/api/index.ts';

/** What identifies an endpoint when it changes. Cf. endpointslice/util hashEndpoint. */
export function endpointKey({ addresses, hostname = '', targetRef }: discoveryv1.Endpoint): string {
  return JSON.stringify([[...(addresses ?? [])].sort(), hostname, targetRef?.namespace ?? '', targetRef?.name ?? '']);
}

/** Whether endpoints of the same key are equal. Cf. EndpointsEqualBeyondHash. */
export function isSameEndpoint(a: discoveryv1.Endpoint, b: discoveryv1.Endpoint): boolean {
  const stateOf = ({ nodeName, zone, conditions, targetRef }: discoveryv1.Endpoint): unknown => {
    const { resourceVersion: _, ...reference } = targetRef ?? {};
    return [nodeName, zone, conditions.ready, conditions.serving, conditions.terminating, reference];
  };
  return sameJson(stateOf(a), stateOf(b));
}

/** What identifies ports, in any order. Cf. endpointslice/util NewPortMapKey. */
export function portsKey(ports: readonly discoveryv1.EndpointPort[]): string {
  const keys = ports.map(({ name, protocol, port, appProtocol }) => JSON.stringify([name, protocol, port, appProtocol]));
  return keys.sort().join();
}

/**
 * The key of a stored slice. One without ports differs from all wanted ports, so it is written again by each reconciliation: upstream's hashes of
 * an empty list and of no list differ.
 */
export function storedPortsKey({ ports }: Pick<discoveryv1.EndpointSlice, 'ports'>): string {
  return ports?.length ? portsKey(ports) : 'none';
}
