import { cacheKeyOf, createControllerRateLimiter } from '../../client/index.ts';
import { aggregateErrors } from '../../meta/index.ts';
import {
  type corev1,
  corev1Nodes,
  corev1Pods,
  corev1Services,
  type discoveryv1,
  discoveryv1EndpointSlices,
} from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { namespaceLister } from '../namespace-lister.ts';
import { selectsPod, TriggerTimes, watchServicePods } from '../services/index.ts';
import { defaultMaxRetries, startWorkers } from '../start-workers.ts';
import { labelNames, sliceManager } from './new-slice.ts';
import { planSlices } from './reconcile-slices.ts';
import { SliceTracker } from './slice-tracker.ts';
import { withTriggerTime, writeSlices } from './slice-writer.ts';
import { TopologyCache } from './topology-cache.ts';
import { watchSlices } from './watch-slices.ts';

const name = 'endpointslice-controller';

/** Writes the endpoints of services with a selector into slices. Cf. pkg/controller/endpointslice. */
export const endpointSlices: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const recorder = createEventRecorder(context, 'endpoint-slice-controller');
  const services = informers.informer(corev1Services);
  const pods = informers.informer(corev1Pods);
  const nodes = informers.informer(corev1Nodes);
  const slices = informers.informer(discoveryv1EndpointSlices);
  const caches = [services, pods, nodes, slices];
  const podsIn = namespaceLister(pods.store);
  const tracker = new SliceTracker();
  const triggerTimes = new TriggerTimes();
  const topology = new TopologyCache(product);

  const reconcile = async (key: string): Promise<void> => {
    const service = services.store.get(key);
    if (!service) {
      tracker.deleteService(key);
      triggerTimes.delete(key);
      return;
    }
    if (service.spec.type === 'ExternalName' || service.spec.selector === undefined) return;
    const cached = watched.slicesOf(key);
    if (tracker.isStale(key, cached)) {
      watched.waitFor(key);
      return;
    }
    const existing = cached.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const selected = podsIn(service.metadata.namespace).filter(({ metadata }) => selectsPod(service, metadata.labels ?? {}));
    const triggerTime = triggerTimes.next(key, service, selected);
    const errors = await syncService({ service, pods: selected, existing, triggerTime });
    if (errors.length === 0) return;
    const message = aggregateErrors(errors);
    recorder.event(service, 'Warning', 'FailedToUpdateEndpointSlices', `Error updating Endpoint Slices for Service ${key}: ${message}`);
    throw new Error(message);
  };

  interface ServiceState {
    readonly service: corev1.Service;
    readonly pods: readonly corev1.Pod[];
    readonly existing: readonly discoveryv1.EndpointSlice[];
    readonly triggerTime: string | undefined;
  }

  const syncService = async ({ triggerTime, ...state }: ServiceState): Promise<readonly string[]> => {
    const { service } = state;
    const plan = planSlices({ ...state, topology, nodeOf: (node) => nodes.store.get(node) }, product);
    const key = cacheKeyOf(service);
    const creates = service.metadata.deletionTimestamp === undefined;
    const options = { client: client.resource(discoveryv1EndpointSlices), tracker, key, owner: `Service ${key}`, creates };
    const errors = [...plan.errors];
    for (const { changes, events } of plan.parts) {
      await writeSlices(withTriggerTime(changes, triggerTime, product), options).catch((error: Error) => errors.push(error.message));
      for (const { type, reason, message } of events) recorder.event(service, type, reason, message);
    }
    return errors;
  };

  const nodeQueue = startWorkers(
    {
      name,
      informers: caches,
      workers: 1,
      async reconcile() {
        topology.setNodes(nodes.store.list());
        for (const key of topology.overloadedServices()) queue.add(key);
      },
    },
    context,
  );
  const queue = startWorkers(
    {
      name,
      informers: caches,
      reconcile,
      maxRetries: defaultMaxRetries,
      // Cf. upstream defaultSyncBackOff.
      rateLimiter: createControllerRateLimiter(clock, { baseMs: 1_000 }),
    },
    context,
  );
  const enqueue = (service: corev1.Service): void => queue.add(cacheKeyOf(service));
  services.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
  const onNodes = (): void => nodeQueue.add('nodes');
  nodes.addHandler({
    onAdd: onNodes,
    onUpdate: (node, old) => {
      if (topology.isNodeChanged(node, old)) onNodes();
    },
    onDelete: onNodes,
  });
  watchServicePods(pods, services, (key) => queue.add(key));
  const manager = product.rename(sliceManager);
  const watched = watchSlices({ slices, manager, labels: labelNames(product), tracker, enqueue: (key) => queue.add(key) });
};
