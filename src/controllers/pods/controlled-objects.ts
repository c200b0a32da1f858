import type { Indexer, KubeObject, SharedInformer } from '../../client/index.ts';
import { controllerOf } from './controller-reference.ts';

const byController = 'controller';

/** Finds the objects of a controller without a search of the whole cache. Cf. AddPodControllerIndexer, FilterPodsByOwner. */
export class ControlledObjects<T extends KubeObject> {
  readonly #store: Indexer<T>;

  constructor({ store }: Pick<SharedInformer<T>, 'store'>) {
    this.#store = store;
    // Several controllers use the same cache; the index is the same for all.
    store.ensureIndex(byController, (object) => [indexValue(object.metadata.namespace, object)]);
  }

  /** The objects that the controller owns. */
  of({ metadata }: Pick<KubeObject, 'metadata'>): readonly T[] {
    return this.#store.byIndex(byController, controllerValue(metadata.namespace, metadata.uid));
  }

  /** The objects that the controller owns, and those of its namespace that have no controller and may be adopted. */
  withOrphans(controller: Pick<KubeObject, 'metadata'>): readonly T[] {
    return [...this.of(controller), ...this.#store.byIndex(byController, controllerValue(controller.metadata.namespace, undefined))];
  }
}

function indexValue(namespace: string | undefined, object: KubeObject): string {
  return controllerValue(namespace, controllerOf(object)?.uid);
}

function controllerValue(namespace = '', uid = ''): string {
  return `${namespace}/${uid}`;
}
