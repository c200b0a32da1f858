import { listAndWatch } from '../client/index.ts';
import type { ApiObject, JsonObject } from '../meta/index.ts';
import type { ControllerParts } from './controller.ts';

export interface Followed {
  /** The cached objects, by `namespace/name` or `name`; complete once `isListed`. */
  readonly objects: ReadonlyMap<string, ApiObject>;
  /** Whether the initial list has completed (client-go HasSynced). */
  readonly isListed: boolean;
}

/** Lists and watches a collection into a cache, and calls `changed` after every change. Cf. client-go SharedInformer. */
export function follow(
  { api, clock }: ControllerParts,
  collection: { readonly path: string; readonly fieldSelector: string },
  changed: () => void,
  signal: AbortSignal,
): Followed {
  const objects = new Map<string, ApiObject>();
  const followed = { objects, isListed: false };
  const sink: Parameters<typeof listAndWatch>[1] = {
    listed(items) {
      objects.clear();
      for (const item of items) objects.set(keyOf(item), item as ApiObject);
      followed.isListed = true;
      changed();
    },
    changed({ type, object }) {
      if (type === 'DELETED') objects.delete(keyOf(object));
      else objects.set(keyOf(object), object as ApiObject);
      changed();
    },
  };
  const { path, fieldSelector } = collection;
  void listAndWatch({ api, clock, path, query: { fieldSelector } }, sink, signal);
  return followed;
}

function keyOf(object: JsonObject): string {
  const { namespace, name = '' } = (object as ApiObject).metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}
