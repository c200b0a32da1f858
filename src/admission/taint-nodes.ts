import { objectsAt, type Product } from '../meta/index.ts';
import type { AdmissionPlugin } from './admission.ts';
import { specOf } from './object-accessors.ts';

/** Taints a new node until it reports that it is ready. Cf. upstream plugin/nodetaint. */
export function taintNodesByCondition(product: Product): AdmissionPlugin {
  const taint = { key: product.rename('node.kubernetes.io/not-ready'), effect: 'NoSchedule' };
  return {
    name: 'TaintNodesByCondition',
    handles: ({ operation, group, resource, subresource }) =>
      operation === 'CREATE' && group === '' && resource === 'nodes' && subresource === '',
    async mutate(_request, node) {
      const { taints: _, configSource, externalID, ...others } = specOf(node);
      const taints = objectsAt(specOf(node), 'taints');
      if (taints.some(({ key, effect }) => key === taint.key && effect === taint.effect)) return node;
      const last = { ...(configSource === undefined ? {} : { configSource }), ...(externalID === undefined ? {} : { externalID }) };
      return { ...node, spec: { ...others, taints: [...taints, taint], ...last } };
    },
  };
}
