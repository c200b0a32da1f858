import { hasStatus, WorkQueue } from '../../client/index.ts';
import { goQuote } from '../../meta/index.ts';
import { apiextensionsv1CustomResourceDefinitions } from '../../schema/api/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { type DiscoveredResource, discoverResources } from '../discovered-resources.ts';
import { attemptToDelete } from './attempt-to-delete.ts';
import { attemptToOrphan } from './attempt-to-orphan.ts';
import { GarbageClient, UnknownKindError } from './garbage-client.ts';
import { Graph } from './graph.ts';
import type { GraphNode } from './graph-node.ts';
import { IdentityCache } from './identity-cache.ts';
import { Monitors } from './monitors.ts';
import { formatIdentity, ownerIdentity } from './object-identity.ts';

const component = 'garbage-collector-controller';
/** Between discoveries of resources (upstream garbage collector sync period). */
const discoveryMs = 30_000;
/** Time that all caches have to become complete; after it the collector works with those that are. */
const syncTimeoutMs = 30_000;
/** Workers of each queue (--concurrent-gc-syncs). */
const workers = 20;

/** Deletes objects whose owners are deleted. Cf. pkg/controller/garbagecollector. */
export const garbageCollector: Controller = (context) => {
  const { clock, log, signal } = context;
  const deletions = new WorkQueue<GraphNode>({ clock, signal });
  const orphanings = new WorkQueue<GraphNode>({ clock, signal });
  const absentOwners = new IdentityCache(500);
  const client = new GarbageClient(context.client);
  const onInvalidNamespace = createNamespaceReporter(context);
  const graph = new Graph({ attemptToDelete: deletions, attemptToOrphan: orphanings, absentOwners, onInvalidNamespace });
  const monitors = new Monitors(graph, context);

  const discover = async (): Promise<void> => {
    const resources = await discoverResources(context);
    client.setResources(resources);
    monitors.setResources(resources.filter((resource) => isCollected(resource, context)));
  };

  /** Whether the node has to be processed again. */
  const processDeletion = async (node: GraphNode): Promise<boolean> => {
    const known = graph.get(node.identity.uid);
    if (node.isVirtual && !known?.isVirtual) return false;
    const result = await attemptToDelete(node, { client, absentOwners, enqueue: (other) => deletions.add(other) });
    if (result === 'done') return node.isVirtual;
    graph.deleteAbsent(node.identity);
    return false;
  };
  const processOrphaning = async (node: GraphNode): Promise<boolean> => {
    await attemptToOrphan(node, client);
    return false;
  };

  const start = async (): Promise<void> => {
    await runDiscovery(discover, context);
    await Promise.race([monitors.synced(), clock.sleep(syncTimeoutMs, signal)]).catch(() => undefined);
    for (let worker = 0; worker < workers; worker++) {
      void runWorker(deletions, processDeletion, { log, signal });
      void runWorker(orphanings, processOrphaning, { log, signal });
    }
  };
  void start();
};

/** Discovers at once, then regularly and whenever a custom resource may have been added. Resolves after the first success. */
async function runDiscovery(discover: () => Promise<void>, { clock, informers, log, signal }: ControllerContext): Promise<void> {
  const queue = new WorkQueue<'discover'>({ clock, signal });
  const definitions = informers.informer(apiextensionsv1CustomResourceDefinitions);
  const enqueue = (): void => queue.addAfter('discover', 1_000);
  await new Promise<void>((resolve) => {
    const process = async (): Promise<boolean> => {
      await discover();
      resolve();
      queue.addAfter('discover', discoveryMs);
      return false;
    };
    queue.add('discover');
    void runWorker(queue, process, { log, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  definitions.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
}

/** Processes the items of a queue; an item is processed again after a failure, or when the result is true. */
async function runWorker<Item>(
  queue: WorkQueue<Item>,
  process: (item: Item) => Promise<boolean>,
  { log, signal }: Pick<ControllerContext, 'log' | 'signal'>,
): Promise<void> {
  for (let item = await queue.get(); item !== undefined && !signal.aborted; item = await queue.get()) {
    let isDone = false;
    try {
      isDone = !(await process(item));
    } catch (error) {
      if (signal.aborted) return;
      // The kind may be defined later, and an object that has changed is decided about again.
      const isExpected = error instanceof UnknownKindError || hasStatus(error, 409);
      if (!isExpected) log.warn('controller failed', { name: component, error });
    }
    if (isDone) queue.forget(item);
    else queue.addRateLimited(item);
    queue.done(item);
  }
}

/** Events have no dependents and are too many. Cf. upstream DefaultIgnoredResources. */
function isCollected({ group, name, verbs, isPreferred }: DiscoveredResource, { product }: ControllerContext): boolean {
  if (name === 'events' && (group === '' || group === product.rename('events.k8s.io'))) return false;
  return isPreferred && ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb));
}

/** Cf. upstream reportInvalidNamespaceOwnerRef. */
function createNamespaceReporter(context: ControllerContext): (dependent: GraphNode, ownerUid: string) => void {
  const recorder = createEventRecorder(context, component);
  return ({ identity, owners }, ownerUid) => {
    const reference = owners.find(({ uid }) => uid === ownerUid);
    if (!reference) return;
    const { apiVersion, kind, namespace, name, uid } = identity;
    const about = { apiVersion, kind, metadata: { name, uid, ...(namespace === '' ? {} : { namespace }) } };
    const owner = formatIdentity(ownerIdentity(reference, namespace));
    recorder.event(about, 'Warning', 'OwnerRefInvalidNamespace', `ownerRef ${owner} does not exist in namespace ${goQuote(namespace)}`);
  };
}
