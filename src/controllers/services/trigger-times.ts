import type { corev1 } from '../../schema/api/index.ts';
import { podCondition } from '../pods/index.ts';

interface ServiceState {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

/**
 * Finds the times of the changes that trigger an update of endpoints, by which clients measure its delay.
 * Cf. endpointslice/util TriggerTimeTracker.
 */
export class TriggerTimes {
  readonly #states = new Map<string, ServiceState>();

  /** The first of the times that are new since the last call for this service; undefined when none is. */
  next(key: string, { metadata }: corev1.Service, pods: readonly corev1.Pod[]): string | undefined {
    const state = this.#states.get(key);
    const service = metadata.creationTimestamp ?? '';
    const times = new Map<string, string>();
    let first: string | undefined;
    const consider = (time: string, before: string): void => {
      if (time > before && (first === undefined || time < first)) first = time;
    };
    for (const pod of pods) {
      const { name = '' } = pod.metadata;
      const time = podCondition(pod, 'Ready')?.lastTransitionTime ?? '';
      if (time !== '') times.set(name, time);
      consider(time, state?.pods.get(name) ?? '');
    }
    consider(service, state?.service ?? '');
    this.#states.set(key, { service, pods: times });
    return state ? first : service || undefined;
  }

  delete(key: string): void {
    this.#states.delete(key);
  }
}
