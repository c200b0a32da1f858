import type { JsonObject } from '../../../meta/index.ts';
import type { KindRow } from '../kind-row.ts';

/** The status of a group version that this server serves itself. */
export function localService(now: string): JsonObject {
  const message = 'Local APIServices are always available';
  return { conditions: [{ type: 'Available', status: 'True', lastTransitionTime: now, reason: 'Local', message }] };
}

/** A local group version is available at once. Cf. upstream apiServerStrategy. */
export const apiService: KindRow = {
  conditionalUpdate: true,
  statusUpdateRetains: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
  create(object, { now }) {
    const spec = object['spec'] as { readonly service?: unknown } | undefined;
    if (spec?.service) return object;
    return { ...object, status: localService(now) };
  },
};
