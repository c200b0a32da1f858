import { cacheKeyOf, type KubeObject, type SharedInformer, type WorkQueue } from '../../client/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Expectations } from '../expectations.ts';
import { ControllerLookup, type ControllerLookupOptions } from './controller-lookup.ts';
import { mapToControllers } from './dependent-handlers.ts';
import { isPodReady } from './pod-state.ts';

/** A controller that creates and deletes pods: `spec.minReadySeconds` delays when they count as available. */
type PodController = KubeObject & { readonly spec: { readonly minReadySeconds?: number } };

export interface WatchedControllers<T extends PodController> extends ControllerLookupOptions<T> {
  readonly controllers: SharedInformer<T>;
  readonly pods: SharedInformer<corev1.Pod>;
  readonly queue: Pick<WorkQueue<string>, 'add' | 'addAfter'>;
  /** The creations and deletions that the cache of pods does not show yet. */
  readonly expectations: Expectations;
}

/**
 * Adds controllers to the queue when they or their pods change, and lowers their expectations. Cf. addPod, updatePod and deletePod of
 * replica_set.go, stateful_set.go and daemon_controller.go.
 */
export function watchControllers<T extends PodController>(options: WatchedControllers<T>): ControllerLookup<T> {
  const { controllers, pods, queue, expectations } = options;
  const enqueue = (controller: T): void => queue.add(cacheKeyOf(controller));
  controllers.addHandler({
    onAdd: enqueue,
    onUpdate: enqueue,
    onDelete: (controller) => {
      // Another controller of this name expects nothing.
      expectations.delete(cacheKeyOf(controller));
      enqueue(controller);
    },
  });
  const lookup = new ControllerLookup(options);
  const handler = mapToControllers<T, corev1.Pod>(lookup, {
    enqueue,
    onCreated: (controller) => expectations.creationObserved(cacheKeyOf(controller)),
    onDeleted: (controller, { metadata }) => expectations.deletionObserved(cacheKeyOf(controller), metadata.uid ?? ''),
    onUpdated: (controller, pod, old) => {
      const { minReadySeconds = 0 } = controller.spec;
      // One second more, since times are in whole seconds.
      const availableMs = (minReadySeconds + 1) * 1000;
      if (minReadySeconds > 0 && !isPodReady(old) && isPodReady(pod)) queue.addAfter(cacheKeyOf(controller), availableMs);
    },
  });
  pods.addHandler(handler);
  return lookup;
}
