import type { ClientRate } from '../client/index.ts';
import type { Env } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';
import type { ClusterNetwork } from '../network/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import type { KubeletRegistry } from '../streaming/index.ts';
import type { ImageReference } from './images/image-reference.ts';
import type { NodeContext } from './node-context.ts';
import type { CreateSandboxes } from './runtime/pod-sandboxes.ts';

/** A pod in a file of a node. */
export interface StaticPodManifest {
  readonly metadata: Pick<corev1.Pod['metadata'], 'namespace' | 'labels' | 'annotations'> & { readonly name: string };
  readonly spec: corev1.PodSpec;
}

/** Runs static pods; a part of its own, since pages have none. */
export interface StaticPods {
  /** Creates the mirror pods of the nodes that are added. */
  start(context: NodeContext, isOwn: (node: string) => boolean): { add(node: string): void };
  /** Whether the manifest of a mirror pod still exists. */
  isWanted(pod: corev1.Pod, context: Pick<NodeContext, 'nodes' | 'product'>): boolean;
}

/** The dependencies of the simulated nodes. */
export interface NodeManagerOptions extends Env {
  /** The API with all permissions: pods and nodes are watched once for all nodes. */
  readonly api: ApiHandler;
  /** The API with the identity of a node, `system:node:NAME`. */
  readonly apiOf: (node: string) => ApiHandler;
  readonly product: Product;
  /** Limit of the requests of each node, besides its heartbeats. Default: 50 a second after a burst. */
  readonly clientRate?: Partial<ClientRate> | undefined;
  /** Runs containers whose images are emulated; undefined: all containers follow the image catalog. */
  readonly createSandboxes?: CreateSandboxes | undefined;
  /** Pods that nodes run without the scheduler; undefined: none. */
  readonly staticPods?: StaticPods | undefined;
  /** Whether a registry has an image that is not emulated; undefined: registries have all, besides those whose names mark them as missing. */
  readonly isPullable?: ((image: ImageReference) => boolean) | undefined;
  /** Where nodes make their kubelets reachable for the API server; undefined: they are not. */
  readonly kubelets?: Pick<KubeletRegistry, 'register'> | undefined;
  /** The network of the cluster; undefined: pods have none. */
  readonly network?: ClusterNetwork | undefined;
}
