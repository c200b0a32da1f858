import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

export function nodeCondition({ status }: Pick<corev1.Node, 'status'>, type: string): corev1.NodeCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

/** Identifies the zone of a node, in which nodes fail together; empty without zone and region. Cf. GetZoneKey. */
export function zoneOf({ metadata }: Pick<corev1.Node, 'metadata'>, { rename }: Pick<Product, 'rename'>): string {
  const { labels = {} } = metadata;
  const region = labels[rename('topology.kubernetes.io/region')] ?? '';
  const zone = labels[rename('topology.kubernetes.io/zone')] ?? '';
  return region === '' && zone === '' ? '' : `${region}:\u0000:${zone}`;
}
