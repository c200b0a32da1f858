import { type Product, withMetadata } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { podSpecOf } from '../object-accessors.ts';
import type { ObjectSource } from '../object-source.ts';

/** Copies the topology labels of a node to the bindings and pods that are assigned to it. Cf. upstream plugin/podtopologylabels. */
export function podTopologyLabels(nodes: ObjectSource, product: Product): AdmissionPlugin {
  const copied = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'].map((label) => product.rename(label));
  return {
    name: 'PodTopologyLabels',
    handles: ({ operation, group, resource, subresource }) =>
      operation === 'CREATE' && group === '' && resource === 'pods' && (subresource === '' || subresource === 'binding'),
    async mutate({ subresource }, object) {
      const name = subresource === '' ? podSpecOf(object).nodeName : targetNode(object);
      const node = name ? await nodes.find('', name) : undefined;
      const labels = Object.entries(node?.metadata.labels ?? {}).filter(([label]) => copied.includes(label));
      return labels.length === 0 ? object : withMetadata(object, { labels: { ...object.metadata.labels, ...Object.fromEntries(labels) } });
    },
  };
}

function targetNode({ target }: Decoded<corev1.Binding>): string | undefined {
  return target?.kind === 'Node' ? target.name : undefined;
}
