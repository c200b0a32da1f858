import type { ApiObject, Product } from '../../../meta/index.ts';
import type { discoveryv1 } from '../../../schema/api/index.ts';
import { type Decoded, isSemanticallyEqual } from '../../../schema/index.ts';
import { type KindRow, withMembers } from '../kind-row.ts';

/** Cf. upstream dropTopologyOnV1: v1 no longer accepts the topology labels of v1beta1. */
export const endpointSlice: KindRow = {
  generation: ['addressType', 'endpoints', 'ports', 'labels'],
  create: (next, { product }) => withoutTopology(next, undefined, product),
  update: (next, old, { product }) =>
    isSemanticallyEqual(next['endpoints'], old['endpoints']) ? next : withoutTopology(next, old, product),
};

type Endpoint = Decoded<discoveryv1.Endpoint>;

function endpointsOf({ endpoints }: Decoded<discoveryv1.EndpointSlice>): readonly Endpoint[] {
  return endpoints ?? [];
}

function withoutTopology(next: ApiObject, old: ApiObject | undefined, product: Product): ApiObject {
  const label = product.rename('kubernetes.io/hostname');
  /** The node name in those labels. */
  const nodeOf = ({ deprecatedTopology }: Endpoint): string => deprecatedTopology?.[label] ?? '';
  const known = new Set(endpointsOf(old ?? {}).map(nodeOf));
  const endpoints = endpointsOf(next).map((endpoint) => {
    const node = nodeOf(endpoint);
    const retained = node !== '' && known.has(node) ? node : undefined;
    return withMembers(endpoint, { nodeName: endpoint.nodeName ?? retained, deprecatedTopology: undefined });
  });
  return endpoints.length === 0 ? next : { ...next, endpoints };
}
