import type { Env } from '../env/index.ts';
import type { Product } from '../meta/index.ts';
import type { ContainerRuntime } from '../node/index.ts';
import { ImageStore } from './images/images.ts';
import type { ContainerImage } from './images/registered-image.ts';
import { EmulatedSandbox } from './pod/emulated-sandbox.ts';
import type { ClusterDns } from './pod/pod-files.ts';
import { Listeners } from './process/listeners.ts';
import { NodeFiles } from './volumes/node-files.ts';

export interface RuntimeOptions {
  readonly env: Env;
  readonly product: Product;
  /** Default: that of kubeadm. */
  readonly dns?: ClusterDns;
  /** Further images, by their repository; may change while the runtime is used. */
  readonly registered?: ReadonlyMap<string, ContainerImage>;
}

const defaultDns: ClusterDns = { address: '10.96.0.10', domain: 'cluster.local' };

/** The container runtime of all nodes of a cluster. */
export function createContainerRuntime({ env, product, dns = defaultDns, registered = new Map() }: RuntimeOptions): ContainerRuntime {
  const images = new ImageStore(registered);
  const nodeFiles = new NodeFiles(env.clock);
  const hosts = new Map<string, Listeners>();
  const listenersOf = (node: string): Listeners => {
    const known = hosts.get(node) ?? new Listeners(env.log);
    hosts.set(node, known);
    return known;
  };
  const sandboxes = new Set<EmulatedSandbox>();
  const stopping = new WeakSet<AbortSignal>();
  /** Containers end with the nodes: else their timers would prevent the exit of the host's process after its cluster is closed. */
  const endWith = (signal: AbortSignal): void => {
    if (stopping.has(signal)) return;
    stopping.add(signal);
    const end = (): void => {
      for (const sandbox of [...sandboxes]) sandbox.dispose();
    };
    signal.addEventListener('abort', end, { once: true });
  };
  return {
    hasImage: (repository) => images.has(repository),
    createSandbox: (pod, host) => {
      endWith(host.client.options.signal);
      const sandbox = new EmulatedSandbox(pod, host, {
        env,
        product,
        dns,
        listeners: pod.spec.hostNetwork ? listenersOf(host.nodeName) : new Listeners(env.log),
        imageOf: (repository) => images.get(repository),
        forget: (ended) => void sandboxes.delete(ended),
        volumeHost: {
          clock: env.clock,
          nodeFiles,
          imageRoot: (reference) => images.get(repositoryOf(reference))?.root(),
        },
      });
      sandboxes.add(sandbox);
      return sandbox;
    },
  };
}

/** A reference without its tag and digest. */
function repositoryOf(reference: string): string {
  const [name = ''] = reference.split('@');
  const tag = name.indexOf(':', name.lastIndexOf('/') + 1);
  return tag < 0 ? name : name.slice(0, tag);
}
