import type { corev1, discoveryv1, networkingv1 } from '../schema/api/index.ts';
import type { ClusterState } from './cluster-state.ts';

interface Objects {
  readonly services?: readonly object[];
  readonly slices?: readonly object[];
  readonly policies?: readonly object[];
  readonly pods?: readonly object[];
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Addresses of nodes by their name. */
  readonly nodes?: Readonly<Record<string, string>>;
  /** Zones of nodes by their name. */
  readonly zones?: Readonly<Record<string, string>>;
}

/** The state of a cluster from objects with the members that a test needs. Without a namespace they are in `default`. */
export function scriptedState({
  services = [],
  slices = [],
  policies = [],
  pods = [],
  namespaces = {},
  nodes = {},
  zones = {},
}: Objects): ClusterState {
  const inNamespace = <T>(objects: readonly object[]): readonly T[] =>
    objects.map((object) => {
      const { metadata } = object as { readonly metadata: object };
      return { ...object, metadata: { namespace: 'default', ...metadata } } as T;
    });
  const allServices = inNamespace<corev1.Service>(services);
  const allPods = inNamespace<corev1.Pod>(pods);
  return {
    services: () => allServices,
    isRouted: () => true,
    service: (namespace, name) => allServices.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    slicesOf: (namespace, service) =>
      inNamespace<discoveryv1.EndpointSlice>(slices).filter(
        ({ metadata }) => metadata.namespace === namespace && metadata.name === service,
      ),
    policiesOf: (namespace) => inNamespace<networkingv1.NetworkPolicy>(policies).filter(({ metadata }) => metadata.namespace === namespace),
    namespaceLabels: (name) => namespaces[name] ?? {},
    podOf: (address) => allPods.find(({ status }) => status.podIPs?.some(({ ip }) => ip === address)),
    zoneOf: (node) => zones[node],
    nodeOf: (address) => Object.entries(nodes).find(([, one]) => one === address)?.[0],
  };
}
