import type { KubeletApi, Kubelets } from './kubelet-api.ts';

/** The kubelets that nodes have registered. */
export interface KubeletRegistry extends Kubelets {
  kubeletOf(node: string): KubeletApi | undefined;
  /** Makes the kubelet of a node reachable, instead of the one before; the returned function undoes it. */
  register(node: string, kubelet: KubeletApi): () => void;
}

export function createKubeletRegistry(): KubeletRegistry {
  const byNode = new Map<string, KubeletApi>();
  return {
    kubeletOf: (node) => byNode.get(node),
    register(node, kubelet) {
      byNode.set(node, kubelet);
      return () => {
        if (byNode.get(node) === kubelet) byNode.delete(node);
      };
    },
  };
}
