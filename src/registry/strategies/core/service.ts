import type { ApiObject, Json, JsonObject } from '../../../meta/index.ts';
import { sameJson } from '../../update.ts';
import { itemsOf, type KindRow, partOf, textOf, withMembers, withSpec } from '../row.ts';

/**
 * New addresses and ports are given by the allocator; here only what needs none: `clusterIP` and `clusterIPs` agree, and an update
 * that leaves out what was given keeps it. Cf. upstream normalizeClusterIPs, patchAllocatedValues, dropTypeDependentFields.
 */
export const service: KindRow = {
  createOnUpdate: true,
  create: (object) => withAddresses(object, undefined),
  update: (next, old) => withAddresses(withAllocated(next, old), old),
};

function withAddresses(object: ApiObject, old: ApiObject | undefined): ApiObject {
  const [spec, before] = [partOf(object, 'spec'), partOf(old, 'spec')];
  const [single, many] = [textOf(spec, 'clusterIP'), addressesOf(spec)];
  if (!old) return single !== '' && many.length === 0 ? withSpec(object, { clusterIPs: [single] }) : object;
  const [singleBefore, manyBefore] = [textOf(before, 'clusterIP'), addressesOf(before)];
  if (single === '' && singleBefore !== '' && sameJson(many, manyBefore)) return withSpec(object, { clusterIPs: undefined });
  // Who changes one of the two means both.
  if (single !== '' && single !== singleBefore && (many.length === 0 || sameJson(many, manyBefore)))
    return withSpec(object, { clusterIPs: [single] });
  return object;
}

function addressesOf(spec: JsonObject): readonly string[] {
  const addresses = spec['clusterIPs'];
  return Array.isArray(addresses) ? (addresses as readonly string[]) : [];
}

const hasAddress = (spec: JsonObject): boolean => textOf(spec, 'type') !== 'ExternalName';
const hasNodePorts = (spec: JsonObject): boolean => ['NodePort', 'LoadBalancer'].includes(textOf(spec, 'type'));
const hasHealthPort = (spec: JsonObject): boolean =>
  textOf(spec, 'type') === 'LoadBalancer' && textOf(spec, 'externalTrafficPolicy') === 'Local';

function withAllocated(next: ApiObject, old: ApiObject): ApiObject {
  const [spec, before] = [partOf(next, 'spec'), partOf(old, 'spec')];
  const changes: Record<string, Json | undefined> = {};
  if (hasAddress(spec) && hasAddress(before)) {
    const single = textOf(spec, 'clusterIP') === '' ? textOf(before, 'clusterIP') : textOf(spec, 'clusterIP');
    if (single !== '') changes['clusterIP'] = single;
    if (addressesOf(spec).length === 0 && single === textOf(before, 'clusterIP')) changes['clusterIPs'] = before['clusterIPs'];
    for (const field of ['ipFamilies', 'ipFamilyPolicy']) if (spec[field] === undefined) changes[field] = before[field];
  }
  if (hasNodePorts(spec) && hasNodePorts(before)) changes['ports'] = withNodePorts(spec, before);
  if (hasHealthPort(spec) && hasHealthPort(before) && !spec['healthCheckNodePort'])
    changes['healthCheckNodePort'] = before['healthCheckNodePort'];
  return withSpec(next, changes);
}

/** A port keeps its node's port as long as it keeps its name. */
function withNodePorts(spec: JsonObject, before: JsonObject): readonly JsonObject[] {
  const used = new Set(itemsOf(spec, 'ports').map((port) => port['nodePort']));
  const byName = new Map(itemsOf(before, 'ports').map((port) => [textOf(port, 'name'), port['nodePort']]));
  return itemsOf(spec, 'ports').map((port) => {
    const known = byName.get(textOf(port, 'name'));
    return port['nodePort'] || known === undefined || used.has(known) ? port : withMembers(port, { nodePort: known });
  });
}
