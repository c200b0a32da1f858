import { listAndWatch } from '../client/index.ts';
import type { ApiObject, JsonObject } from '../meta/index.ts';
import type { ControllerContext } from './controller.ts';

export interface Informer {
  /** The cached objects, by `namespace/name` or `name`; complete once `hasSynced`. */
  readonly objects: ReadonlyMap<string, ApiObject>;
  /** Whether the initial list has completed (client-go HasSynced). */
  readonly hasSynced: boolean;
}

/** Lists and watches a collection into a cache, and calls `onChange` after every change. Cf. client-go SharedInformer. */
export function startInformer(
  { api, clock }: ControllerContext,
  collection: { readonly path: string; readonly fieldSelector: string },
  onChange: () => void,
  signal: AbortSignal,
): Informer {
  const objects = new Map<string, ApiObject>();
  const informer = { objects, hasSynced: false };
  const sink: Parameters<typeof listAndWatch>[1] = {
    onListed(items) {
      objects.clear();
      for (const item of items) objects.set(keyOf(item), item as ApiObject);
      informer.hasSynced = true;
      onChange();
    },
    onEvent({ type, object }) {
      if (type === 'DELETED') objects.delete(keyOf(object));
      else objects.set(keyOf(object), object as ApiObject);
      onChange();
    },
  };
  const { path, fieldSelector } = collection;
  void listAndWatch({ api, clock, path, query: { fieldSelector } }, sink, signal);
  return informer;
}

function keyOf(object: JsonObject): string {
  const { namespace, name = '' } = (object as ApiObject).metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}
