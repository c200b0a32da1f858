import { createMetadataInformer, type ObjectMetadata, type SharedInformer } from '../../client/index.ts';
import type { ControllerContext } from '../controller.ts';
import { apiVersionOf, collectionPath, type DiscoveredResource } from '../discovered-resources.ts';
import type { Graph } from './graph.ts';
import type { ObjectIdentity } from './object-identity.ts';

interface Monitor {
  readonly informer: SharedInformer<ObjectMetadata>;
  readonly stop: AbortController;
}

/** Watches of the metadata of all resources, which feed the graph. */
export class Monitors {
  readonly #context: ControllerContext;
  readonly #graph: Graph;
  /** By path. */
  readonly #monitors = new Map<string, Monitor>();

  constructor(graph: Graph, context: ControllerContext) {
    this.#graph = graph;
    this.#context = context;
    context.signal.addEventListener('abort', () => this.#stopAll(), { once: true });
  }

  /** Resolves when all caches are complete. */
  async synced(): Promise<void> {
    await Promise.all([...this.#monitors.values()].map(({ informer }) => informer.synced));
  }

  /** Starts and ends watches, so that these resources are watched. */
  setResources(resources: readonly DiscoveredResource[]): void {
    if (this.#context.signal.aborted) return;
    const wanted = new Map(resources.map((resource) => [collectionPath(resource), resource]));
    for (const [path, { stop }] of this.#monitors) {
      if (wanted.has(path)) continue;
      stop.abort();
      this.#monitors.delete(path);
    }
    for (const [path, resource] of wanted) {
      if (!this.#monitors.has(path)) this.#monitors.set(path, this.#start(path, resource));
    }
  }

  #start(path: string, resource: DiscoveredResource): Monitor {
    const stop = new AbortController();
    const informer = createMetadataInformer(this.#context, path, stop.signal);
    const graph = this.#graph;
    informer.addHandler({
      onAdd: ({ metadata }) => graph.set(identityOf(metadata, resource), metadata),
      onUpdate: ({ metadata }, before) => graph.set(identityOf(metadata, resource), metadata, before.metadata),
      onDelete: ({ metadata }) => graph.delete(identityOf(metadata, resource)),
    });
    return { informer, stop };
  }

  #stopAll(): void {
    for (const { stop } of this.#monitors.values()) stop.abort();
    this.#monitors.clear();
  }
}

function identityOf({ namespace = '', name = '', uid = '' }: ObjectMetadata['metadata'], resource: DiscoveredResource): ObjectIdentity {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name, uid };
}
