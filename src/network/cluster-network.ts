import type { NetworkNamespace } from './network-namespace.ts';

/** The network of a cluster: nodes open a namespace for each pod sandbox, and the API server connects through one of its own. */
export interface ClusterNetwork {
  /** Opens the namespace of a pod's sandbox; `close` of the namespace ends it. */
  openPod(pod: PodNetwork): NetworkNamespace;
  /** The namespace of a node, which its kubelet, node ports and pods with `hostNetwork` share. */
  hostOf(node: HostNetwork): NetworkNamespace;
}

export interface PodNetwork {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  /** `status.podIPs` */
  readonly addresses: readonly string[];
  /** Ports of the node that lead to ports of the pod. */
  readonly hostPorts: readonly HostPort[];
}

export interface HostPort {
  /** Empty: every address of the node. */
  readonly hostAddress: string;
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
}

export interface HostNetwork {
  readonly name: string;
  readonly addresses: readonly string[];
}
