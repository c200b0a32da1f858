import type { Clock } from '../../env/index.ts';
import type { JsonObject, Product } from '../../meta/index.ts';
import { Measurements } from '../../node/index.ts';
import { listObjects, type ObjectStore } from '../../registry/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Catalog } from '../../schema/index.ts';
import type { MeasuredObject, ResourceMetrics } from '../../server/index.ts';

export interface ResourceMetricsOptions {
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly clock: Clock;
}

/** Measures the nodes and pods of a store, as a metrics server in this process. */
export function createResourceMetrics({ store, catalog, product, clock }: ResourceMetricsOptions): ResourceMetrics {
  const objectsOf = async (name: string): Promise<readonly unknown[]> => {
    const resource = catalog.resource('v1', name);
    if (!resource) return [];
    const all = { resource, namespace: '', name: undefined, selects: undefined, limit: 0, continue: '', resourceVersion: '' } as const;
    const { items } = await listObjects(store, { ...all, match: '' }, { clock, product, watchCache: true });
    return items.map(({ object }) => object);
  };
  return {
    async list(resource, namespace) {
      const [nodes, pods, services] = await Promise.all(['nodes', 'pods', 'services'].map(objectsOf));
      const objects = {
        nodes: nodes as readonly corev1.Node[],
        pods: pods as readonly corev1.Pod[],
        services: services as readonly corev1.Service[],
      };
      const measurements = new Measurements(objects, product, clock.nowMs());
      if (resource === 'nodes')
        return objects.nodes.map((node) => {
          const { timestamp, window, value } = measurements.ofNode(node.metadata.name ?? '') ?? {};
          return measuredObject(node, value && { timestamp: timestamp ?? null, window: window ?? null, usage: value });
        });
      return objects.pods
        .filter(({ metadata }) => namespace === '' || metadata.namespace === namespace)
        .map((pod) => {
          const { timestamp, window, value } = measurements.ofPod(pod) ?? {};
          return measuredObject(pod, value && { timestamp: timestamp ?? null, window: window ?? null, containers: value });
        });
    },
  };
}

const measuredObject = ({ metadata }: corev1.Node | corev1.Pod, metrics: JsonObject | undefined): MeasuredObject => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name ?? '',
  labels: metadata.labels,
  metrics,
});
