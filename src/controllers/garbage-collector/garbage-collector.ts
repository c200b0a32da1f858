import { hasStatus, IgnorableError, runWorkers, WorkQueue } from '../../client/index.ts';
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

  let discovered: readonly DiscoveredResource[] | undefined;
  const discover = async (): Promise<void> => {
    const resources = await discoverResources(context);
    if (resources === discovered) return;
    discovered = resources;
    client.setResources(resources);
    monitors.setResources(resources.filter((resource) => isCollected(resource, context)));
  };

  const processDeletion = async (node: GraphNode): Promise<void> => {
    const known = graph.get(node.identity.uid);
    if (node.isVirtual && !known?.isVirtual) return;
    const result = await attemptToDelete(node, { client, absentOwners, enqueue: (other) => deletions.add(other) });
    if (result === 'absent') graph.deleteAbsent(node.identity);
    else if (node.isVirtual) throw new IgnorableError('the owner exists and is not in the graph yet');
  };

  const start = async (): Promise<void> => {
    await runDiscovery(discover, context);
    await Promise.race([monitors.synced(), clock.sleep(syncTimeoutMs, signal)]).catch(() => undefined);
    const options = { workers, name: component, describe: ({ identity }: GraphNode) => formatIdentity(identity), log, signal };
    runWorkers({ ...options, queue: deletions, reconcile: (node) => expectChanges(processDeletion(node)) });
    runWorkers({ ...options, queue: orphanings, reconcile: (node) => expectChanges(attemptToOrphan(node, client)) });
  };
  void start();
};

/** Discovers at once, then regularly and whenever a custom resource may have been added. Resolves after the first success. */
async function runDiscovery(discover: () => Promise<void>, { clock, informers, log, signal }: ControllerContext): Promise<void> {
  const queue = new WorkQueue<'discover'>({ clock, signal });
  const definitions = informers.informer(apiextensionsv1CustomResourceDefinitions);
  const enqueue = (): void => queue.addAfter('discover', 1_000);
  await new Promise<void>((resolve) => {
    const reconcile = async (): Promise<void> => {
      await discover();
      resolve();
      queue.addAfter('discover', discoveryMs);
    };
    queue.add('discover');
    runWorkers({ queue, workers: 1, reconcile, name: component, log, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  definitions.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
}

/** The kind of an object may be defined later, and an object that has changed is decided about again. */
async function expectChanges(attempt: Promise<void>): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof UnknownKindError || hasStatus(error, 409)) throw new IgnorableError(error.message);
    throw error;
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
