import { type Json, type JsonObject, objectsAt, sameJson, textAt, textsAt } from '../../meta/index.ts';
import { withMembers } from '../strategies/kind-row.ts';
import { needsClusterIp, needsHealthCheckPort, needsNodePort, portNumber, supportsNodePorts } from './service-spec.ts';

/**
 * Restores allocated values that an update omits. Cf. upstream patchAllocatedValues.
 */
export function withAllocatedValues(spec: JsonObject, old: JsonObject): JsonObject {
  const changes: Record<string, Json> = {};
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    const address = textAt(spec, 'clusterIP') || textAt(old, 'clusterIP');
    if (address !== '') changes['clusterIP'] = address;
    if (textsAt(spec, 'clusterIPs').length === 0 && textsAt(old, 'clusterIPs').length > 0)
      changes['clusterIPs'] = textsAt(old, 'clusterIPs');
  }
  if (needsNodePort(old) && needsNodePort(spec) && objectsAt(spec, 'ports').length > 0) changes['ports'] = portsWithNumbers(spec, old);
  if (needsHealthCheckPort(old) && needsHealthCheckPort(spec) && portNumber(spec, 'healthCheckNodePort') === 0)
    changes['healthCheckNodePort'] = portNumber(old, 'healthCheckNodePort');
  return withMembers(spec, changes);
}

/** Node ports are matched by port name, unless another port uses them. */
function portsWithNumbers(spec: JsonObject, old: JsonObject): readonly JsonObject[] {
  const numbers = new Map(objectsAt(old, 'ports').map((port) => [textAt(port, 'name'), portNumber(port, 'nodePort')]));
  const used = new Set(objectsAt(spec, 'ports').map((port) => portNumber(port, 'nodePort')));
  return objectsAt(spec, 'ports').map((port) => {
    const before = numbers.get(textAt(port, 'name')) ?? 0;
    return portNumber(port, 'nodePort') === 0 && before !== 0 && !used.has(before) ? withMembers(port, { nodePort: before }) : port;
  });
}

/** Old clients know only `clusterIP`: `clusterIPs` is set from it. Cf. upstream normalizeClusterIPs. */
export function withBothAddressFields(spec: JsonObject, old: JsonObject | undefined): JsonObject {
  const [address, addresses] = [textAt(spec, 'clusterIP'), textsAt(spec, 'clusterIPs')];
  if (!old) return address !== '' && addresses.length === 0 ? withMembers(spec, { clusterIPs: [address] }) : spec;
  const [oldAddress, oldAddresses] = [textAt(old, 'clusterIP'), textsAt(old, 'clusterIPs')];
  if (oldAddresses.length > 0 && addresses.length === 0 && oldAddress === address)
    return withMembers(spec, { clusterIPs: oldAddresses.length > 0 ? oldAddresses : undefined });
  if (oldAddress === address || !sameJson(oldAddresses, addresses)) return spec;
  return withMembers(spec, { clusterIPs: address === '' ? undefined : [address] });
}

/** Drops fields that the new type does not have, when the update leaves them unchanged. Cf. upstream dropTypeDependentFields. */
export function withoutTypeDependentFields(spec: JsonObject, old: JsonObject): JsonObject {
  const dropped: Record<string, Json | undefined> = {};
  const drop = (...names: readonly string[]): void => {
    for (const name of names) dropped[name] = undefined;
  };
  const same = (...names: readonly string[]): boolean => names.every((name) => sameJson(spec[name], old[name]));
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    if (same('clusterIP', 'clusterIPs')) drop('clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy');
    if (same('internalTrafficPolicy')) drop('internalTrafficPolicy');
  }
  if (supportsNodePorts(old) && !supportsNodePorts(spec) && sameNodePorts(spec, old))
    dropped['ports'] = objectsAt(spec, 'ports').map((port) => withMembers(port, { nodePort: undefined }));
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(spec) && same('healthCheckNodePort')) drop('healthCheckNodePort');
  const [balanced, wasBalanced] = [textAt(spec, 'type') === 'LoadBalancer', textAt(old, 'type') === 'LoadBalancer'];
  if (wasBalanced && !balanced) {
    if (same('allocateLoadBalancerNodePorts')) drop('allocateLoadBalancerNodePorts');
    if (same('loadBalancerClass')) drop('loadBalancerClass');
  }
  if (isExternal(old) && !isExternal(spec) && same('externalTrafficPolicy')) drop('externalTrafficPolicy');
  return withMembers(spec, dropped);
}

/** Whether the Service is externally accessible, so that externalTrafficPolicy applies. */
function isExternal(spec: JsonObject): boolean {
  const type = textAt(spec, 'type');
  return type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && textsAt(spec, 'externalIPs').length > 0);
}

function sameNodePorts(spec: JsonObject, old: JsonObject): boolean {
  const numbers = (of: JsonObject): readonly number[] =>
    objectsAt(of, 'ports')
      .map((port) => portNumber(port, 'nodePort'))
      .filter((port) => port !== 0)
      .sort((a, b) => a - b);
  return sameJson(numbers(spec), numbers(old));
}
