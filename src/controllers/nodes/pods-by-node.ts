import type { Indexer } from '../../client/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

const byNode = 'node';

/** Returns the pods that are assigned to a node, by an index of the cache. */
export function podsByNode(store: Indexer<corev1.Pod>): (node: string) => readonly corev1.Pod[] {
  store.ensureIndex(byNode, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  return (node) => store.byIndex(byNode, node);
}
