import type { InformerFactory } from '../client/index.ts';
import type { Product } from '../meta/index.ts';
import {
  corev1Namespaces,
  corev1Nodes,
  corev1Pods,
  corev1Services,
  discoveryv1EndpointSlices,
  networkingv1NetworkPolicies,
} from '../schema/api/index.ts';
import type { ClusterState } from './cluster-state.ts';
import { createRoutedFilter } from './services/routed-services.ts';

const [byService, byNamespace, byAddress] = ['service', 'namespace', 'address'];

/** The state of a cluster from the caches of a client. */
export function createStateCaches(informers: InformerFactory, product: Product): ClusterState {
  const serviceNameLabel = product.rename('kubernetes.io/service-name');
  const zoneLabel = product.rename('topology.kubernetes.io/zone');
  const services = informers.informer(corev1Services).store;
  const slices = informers.informer(discoveryv1EndpointSlices).store;
  const policies = informers.informer(networkingv1NetworkPolicies).store;
  const namespaces = informers.informer(corev1Namespaces).store;
  const pods = informers.informer(corev1Pods).store;
  const nodes = informers.informer(corev1Nodes).store;
  slices.addIndex(byService, ({ metadata }) => [`${metadata.namespace}/${metadata.labels?.[serviceNameLabel] ?? ''}`]);
  policies.addIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? '']);
  // Pods with the network of their node have its address.
  pods.addIndex(byAddress, ({ spec, status }) =>
    spec.hostNetwork === true || isFinished(status?.phase) ? [] : (status?.podIPs ?? []).map(({ ip }) => ip),
  );
  nodes.addIndex(byAddress, ({ status }) => (status?.addresses ?? []).map(({ address }) => address));
  return {
    services: () => services.list(),
    isRouted: createRoutedFilter(product),
    service: (namespace, name) => services.get(`${namespace}/${name}`),
    slicesOf: (namespace, service) => slices.byIndex(byService, `${namespace}/${service}`),
    policiesOf: (namespace) => policies.byIndex(byNamespace, namespace),
    namespaceLabels: (name) => namespaces.get(name)?.metadata.labels ?? {},
    podOf: (address) => pods.byIndex(byAddress, address)[0],
    zoneOf: (node) => nodes.get(node)?.metadata.labels?.[zoneLabel],
    nodeOf: (address) => nodes.byIndex(byAddress, address)[0]?.metadata.name,
  };
}

function isFinished(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}
