import type { SharedInformer } from '../../client/index.ts';
import type { discoveryv1 } from '../../schema/api/index.ts';
import type { SliceTracker } from './slice-tracker.ts';

export interface WatchedSlicesOptions {
  readonly slices: SharedInformer<discoveryv1.EndpointSlice>;
  /** The manager of the slices. */
  readonly manager: string;
  readonly labels: { readonly managedBy: string; readonly serviceName: string };
  readonly tracker: SliceTracker;
  /** Called with the key of a service whose slices were changed by others. */
  readonly enqueue: (service: string) => void;
}

/** The slices of one manager, by service. */
export interface WatchedSlices {
  /** The slices of a service in the cache. */
  slicesOf(service: string): readonly discoveryv1.EndpointSlice[];
  /** Enqueues a service at the next change of its slices in the cache. */
  waitFor(service: string): void;
}

export function watchSlices({ slices, manager, labels, tracker, enqueue }: WatchedSlicesOptions): WatchedSlices {
  const index = `slices of ${manager}`;
  const waiting = new Set<string>();
  const servicesOf = ({ metadata }: discoveryv1.EndpointSlice): readonly string[] => {
    const { [labels.managedBy]: managedBy, [labels.serviceName]: service } = metadata.labels ?? {};
    return managedBy === manager && service !== undefined ? [`${metadata.namespace}/${service}`] : [];
  };
  slices.store.addIndex(index, servicesOf);
  const onChange = (slice: discoveryv1.EndpointSlice): void => {
    for (const service of servicesOf(slice)) if (waiting.delete(service) || tracker.isForeign(service, slice)) enqueue(service);
  };
  const onDelete = (slice: discoveryv1.EndpointSlice): void => {
    for (const service of servicesOf(slice)) {
      const wasExpected = tracker.observeDeletion(service, slice);
      if (waiting.delete(service) || !wasExpected) enqueue(service);
    }
  };
  slices.addHandler({
    onAdd: onChange,
    onUpdate: (slice, old) => {
      // A slice whose labels changed may belong to another service.
      for (const service of servicesOf(old)) if (!servicesOf(slice).includes(service)) enqueue(service);
      onChange(slice);
    },
    onDelete,
  });
  return { slicesOf: (service) => slices.store.byIndex(index, service), waitFor: (service) => void waiting.add(service) };
}
