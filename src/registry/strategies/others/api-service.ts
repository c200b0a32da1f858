import type { KindRow } from '../row.ts';

/** A group version that this server itself serves is there at once. Cf. upstream apiServerStrategy. */
export const apiService: KindRow = {
  conditionalUpdate: true,
  statusKeeps: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
  create(object, { now }) {
    const spec = object['spec'] as { readonly service?: unknown } | undefined;
    if (spec?.service) return object;
    const local = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: now,
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    return { ...object, status: { conditions: [local] } };
  },
};
