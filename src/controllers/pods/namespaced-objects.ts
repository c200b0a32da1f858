import type { Indexer, KubeObject, SharedInformer } from '../../client/index.ts';

const byNamespace = 'namespace';

/** Finds the objects of a namespace without a search of the whole cache. */
export class NamespacedObjects<T extends KubeObject> {
  readonly #store: Indexer<T>;

  constructor({ store }: Pick<SharedInformer<T>, 'store'>) {
    this.#store = store;
    if (!store.hasIndex(byNamespace)) store.addIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? '']);
  }

  in(namespace = ''): readonly T[] {
    return this.#store.byIndex(byNamespace, namespace);
  }
}
