import type { corev1, discoveryv1, networkingv1 } from '../schema/api/index.ts';

/** The objects that decide where connections lead, as the caches of a client have them. */
export interface ClusterState {
  services(): readonly corev1.Service[];
  /** Whether kube-proxy implements a Service. */
  isRouted(service: corev1.Service): boolean;
  service(namespace: string, name: string): corev1.Service | undefined;
  slicesOf(namespace: string, service: string): readonly discoveryv1.EndpointSlice[];
  policiesOf(namespace: string): readonly networkingv1.NetworkPolicy[];
  namespaceLabels(name: string): Readonly<Record<string, string>>;
  /** The pod that has an address, if it is no address of a node. */
  podOf(address: string): corev1.Pod | undefined;
  /** Whether an address is one of a node. */
  nodeOf(address: string): string | undefined;
  /** The zone of a node. */
  zoneOf(node: string): string | undefined;
}
