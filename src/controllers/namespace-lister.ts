import type { Indexer, KubeObject } from '../client/index.ts';

const byNamespace = 'namespace';

/** Returns the objects of one namespace, by an index of the cache. */
export function namespaceLister<T extends KubeObject>(store: Indexer<T>): (namespace?: string) => readonly T[] {
  store.ensureIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? '']);
  return (namespace = '') => store.byIndex(byNamespace, namespace);
}
