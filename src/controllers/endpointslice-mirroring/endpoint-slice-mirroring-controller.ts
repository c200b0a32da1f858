import { cacheKeyOf, keyOf } from '../../client/index.ts';
import { type corev1, corev1Endpoints, corev1Services, discoveryv1EndpointSlices } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { labelNames, SliceTracker, watchSlices, writeSlices } from '../endpointslice/index.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { defaultMaxRetries, startWorkers } from '../start-workers.ts';
import { maxAddresses, mirrorManager, planMirror } from './plan-mirror.ts';

const name = 'endpointslice-mirroring-controller';

/** Mirrors the Endpoints of services without a selector to slices. Cf. pkg/controller/endpointslicemirroring. */
export const endpointSliceMirroring: Controller = (context) => {
  const { client, informers, product } = context;
  const recorder = createEventRecorder(context, 'endpoint-slice-mirroring-controller');
  const services = informers.informer(corev1Services);
  const objects = informers.informer(corev1Endpoints);
  const slices = informers.informer(discoveryv1EndpointSlices);
  const writer = client.resource(discoveryv1EndpointSlices);
  const tracker = new SliceTracker();
  const skipLabel = product.rename('endpointslice.kubernetes.io/skip-mirror');
  const election = product.rename('control-plane.alpha.kubernetes.io/leader');

  const isMirrored = ({ metadata }: corev1.Endpoints): boolean =>
    metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[election] === undefined;

  const deleteMirrored = async (key: string): Promise<void> => {
    tracker.deleteService(key);
    for (const slice of watched.slicesOf(key)) await ignoreNotFound(writer.delete(keyOf(slice)));
  };

  const reconcile = async (key: string): Promise<void> => {
    const endpoints = objects.store.get(key);
    const service = services.store.get(key);
    if (!endpoints || !isMirrored(endpoints) || !service || service.spec.selector !== undefined) return deleteMirrored(key);
    const existing = watched.slicesOf(key);
    if (tracker.isStale(key, existing)) {
      watched.waitFor(key);
      return;
    }
    const { changes, invalid, skipped } = planMirror(endpoints, existing, product);
    if (invalid > 0) {
      const message = `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`;
      recorder.event(endpoints, 'Warning', 'InvalidIPAddress', message);
    }
    if (skipped > invalid) {
      const limit = `A max of ${maxAddresses} addresses can be mirrored to EndpointSlices per Endpoints subset`;
      recorder.event(endpoints, 'Warning', 'TooManyAddressesToMirror', `${limit}. ${skipped} addresses were skipped`);
    }
    const creates = endpoints.metadata.deletionTimestamp === undefined;
    await writeSlices(changes, { client: writer, tracker, key, owner: `Endpoints ${key}`, creates });
  };

  const options = { name, informers: [services, objects, slices], reconcile, maxRetries: defaultMaxRetries };
  const queue = startWorkers(options, context);
  const watched = watchSlices({
    slices,
    manager: product.rename(mirrorManager),
    labels: labelNames(product),
    tracker,
    enqueue: (key) => queue.add(key),
  });
  const enqueue = (object: corev1.Service | corev1.Endpoints): void => queue.add(cacheKeyOf(object));
  const enqueueMirrored = (object: corev1.Endpoints): void => {
    if (isMirrored(object)) enqueue(object);
  };
  objects.addHandler({
    onAdd: enqueueMirrored,
    onUpdate: (object, old) => {
      if (isMirrored(object) || isMirrored(old)) enqueue(object);
    },
    onDelete: enqueueMirrored,
  });
  services.addHandler({
    onAdd: enqueue,
    onUpdate: (service, old) => {
      if ((service.spec.selector === undefined) !== (old.spec.selector === undefined)) enqueue(service);
    },
    onDelete: enqueue,
  });
};
