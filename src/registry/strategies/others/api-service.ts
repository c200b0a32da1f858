import type { JsonObject } from '../../../meta/index.ts';
import type { KindRow } from '../kind-row.ts';

/** The status of a group version that nobody else serves. */
export function localService(now: string): JsonObject {
  const message = 'Local APIServices are always available';
  return { conditions: [{ type: 'Available', status: 'True', lastTransitionTime: now, reason: 'Local', message }] };
}

/** A group version that this server itself serves is there at once. Cf. upstream apiServerStrategy. */
export const apiService: KindRow = {
  conditionalUpdate: true,
  statusUpdateRetains: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
  create(object, { now }) {
    const spec = object['spec'] as { readonly service?: unknown } | undefined;
    if (spec?.service) return object;
    return { ...object, status: localService(now) };
  },
};
