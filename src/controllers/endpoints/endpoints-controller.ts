import { cacheKeyOf, type PartialObject, splitCacheKey } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import { type corev1, corev1Endpoints, corev1Pods, corev1Services } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { namespaceLister } from '../namespace-lister.ts';
import { isNamespaceTerminating } from '../pods/index.ts';
import { selectsPod, TriggerTimes, watchServicePods } from '../services/index.ts';
import { defaultMaxRetries, startWorkers } from '../start-workers.ts';
import { computeEndpoints } from './compute-endpoints.ts';

const name = 'endpoints-controller';

/** Writes the addresses of the pods of services into Endpoints. Cf. pkg/controller/endpoint. */
export const endpoints: Controller = (context) => {
  const { client, informers, product } = context;
  const recorder = createEventRecorder(context, 'endpoint-controller');
  const services = informers.informer(corev1Services);
  const pods = informers.informer(corev1Pods);
  const objects = informers.informer(corev1Endpoints);
  const podsIn = namespaceLister(pods.store);
  const writer = client.resource(corev1Endpoints);
  const triggerTimes = new TriggerTimes();
  /** Versions that this controller has replaced, empty for none: a cache that contains one of them is stale. */
  const replaced = new Map<string, string>();
  /** Services that wait for the cache. */
  const waiting = new Set<string>();

  const write = async (wanted: PartialObject<corev1.Endpoints>, service: corev1.Service, current: corev1.Endpoints | undefined) => {
    const { namespace = '', name: serviceName = '' } = service.metadata;
    // New Endpoints have no namespace in upstream's events, which are in the namespace default then.
    const about = { apiVersion: writer.apiVersion, kind: writer.kind, metadata: current?.metadata ?? { name: serviceName } };
    const key = cacheKeyOf(service);
    // Before the request, since the cache may receive the new version before its response.
    replaced.set(key, current?.metadata.resourceVersion ?? '');
    try {
      const { metadata } = current ? await writer.update(wanted as corev1.Endpoints) : await writer.create(wanted);
      // An update that changes nothing, which the cache will not show.
      if (metadata.resourceVersion === current?.metadata.resourceVersion) replaced.delete(key);
    } catch (error) {
      replaced.delete(key);
      if (!current && isNamespaceTerminating(error)) return;
      const message = errorMessage(error);
      if (current) {
        const text = `Failed to update endpoint ${namespace}/${serviceName}: ${message}`;
        recorder.event(about, 'Warning', 'FailedToUpdateEndpoint', text);
      } else {
        const text = `Failed to create endpoint for service ${namespace}/${serviceName}: ${message}`;
        recorder.event(about, 'Warning', 'FailedToCreateEndpoint', text);
      }
      throw error;
    }
  };

  const remove = async (key: string): Promise<void> => {
    triggerTimes.delete(key);
    replaced.delete(key);
    await ignoreNotFound(writer.delete(splitCacheKey(key)));
  };

  const reconcile = async (key: string): Promise<void> => {
    const service = services.store.get(key);
    if (!service) return remove(key);
    if (service.spec.type === 'ExternalName' || service.spec.selector === undefined) return;
    const selected = podsIn(service.metadata.namespace).filter(({ metadata }) => selectsPod(service, metadata.labels ?? {}));
    const current = objects.store.get(key);
    if (replaced.get(key) === (current?.metadata.resourceVersion ?? '')) {
      waiting.add(key);
      return;
    }
    const triggerTime = triggerTimes.next(key, service, selected);
    const wanted = computeEndpoints({ service, pods: selected, current, triggerTime }, product);
    if (wanted) await write(wanted, service, current);
  };

  const options = { name, informers: [services, pods, objects], reconcile, maxRetries: defaultMaxRetries };
  const queue = startWorkers(options, context);
  const enqueue = (service: corev1.Service): void => queue.add(cacheKeyOf(service));
  services.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
  watchServicePods(pods, services, (key) => queue.add(key));
  const onFresh = (object: corev1.Endpoints): void => {
    const key = cacheKeyOf(object);
    replaced.delete(key);
    if (waiting.delete(key)) queue.add(key);
  };
  objects.addHandler({
    onAdd: onFresh,
    onUpdate: onFresh,
    onDelete: (object) => {
      if (services.store.has(cacheKeyOf(object))) queue.add(cacheKeyOf(object));
    },
  });
  void enqueueLeftovers();

  /** Endpoints whose service was deleted while no controller was running. Cf. checkLeftoverEndpoints. */
  async function enqueueLeftovers(): Promise<void> {
    await Promise.all([services.synced, objects.synced]);
    const election = product.rename('control-plane.alpha.kubernetes.io/leader');
    for (const object of objects.store.list()) {
      if (object.metadata.annotations?.[election] === undefined && !services.store.has(cacheKeyOf(object))) queue.add(cacheKeyOf(object));
    }
  }
};
