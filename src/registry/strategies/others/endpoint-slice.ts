import { type ApiObject, type Json, type JsonObject, objectsAt, type Product, recordAt, textAt } from '../../../meta/index.ts';
import { isSemanticallyEqual } from '../../../schema/index.ts';
import { type KindRow, withMembers } from '../kind-row.ts';

/** Cf. upstream dropTopologyOnV1: v1 no longer accepts the topology labels of v1beta1. */
export const endpointSlice: KindRow = {
  generation: ['addressType', 'endpoints', 'ports', 'labels'],
  create: (next, { product }) => withoutTopology(next, undefined, product),
  update: (next, old, { product }) =>
    isSemanticallyEqual(next['endpoints'], old['endpoints']) ? next : withoutTopology(next, old, product),
};

function withoutTopology(next: ApiObject, old: ApiObject | undefined, product: Product): ApiObject {
  const label = product.rename('kubernetes.io/hostname');
  /** The node name in those labels. */
  const nodeOf = (endpoint: JsonObject): string => textAt(recordAt(endpoint, 'deprecatedTopology'), label);
  const known = new Set(objectsAt(old, 'endpoints').map(nodeOf));
  const endpoints = objectsAt(next, 'endpoints').map((endpoint): JsonObject => {
    const node = nodeOf(endpoint);
    const retained: Json | undefined = node !== '' && known.has(node) ? node : undefined;
    return withMembers(endpoint, { nodeName: endpoint['nodeName'] ?? retained, deprecatedTopology: undefined });
  });
  return endpoints.length === 0 ? next : { ...next, endpoints };
}
