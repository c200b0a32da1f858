import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

export function nodeCondition({ status }: Pick<corev1.Node, 'status'>, type: string): corev1.NodeCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

/** The zone that a label gives a node; empty without the label. */
export function zoneLabelOf({ metadata }: Pick<corev1.Node, 'metadata'>, { rename }: Pick<Product, 'rename'>): string {
  return metadata.labels?.[rename('topology.kubernetes.io/zone')] ?? '';
}

/** Identifies the zone of a node, in which nodes fail together; empty without zone and region. Cf. GetZoneKey. */
export function zoneOf(node: Pick<corev1.Node, 'metadata'>, names: Pick<Product, 'rename'>): string {
  const region = node.metadata.labels?.[names.rename('topology.kubernetes.io/region')] ?? '';
  const zone = zoneLabelOf(node, names);
  return region === '' && zone === '' ? '' : `${region}:\u0000:${zone}`;
}
