import type { SharedInformer } from '../../client/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { namespaceLister } from '../namespace-lister.ts';
import { podChange } from './pod-endpoints.ts';

/** Calls `enqueue` with the key of each service whose endpoints a change of a pod may affect. Cf. GetServicesToUpdateOnPodChange. */
export function watchServicePods(
  pods: SharedInformer<corev1.Pod>,
  services: SharedInformer<corev1.Service>,
  enqueue: (key: string) => void,
): void {
  const servicesIn = namespaceLister(services.store);
  const membershipsOf = ({ metadata }: corev1.Pod): ReadonlySet<string> => {
    const namespace = metadata.namespace ?? '';
    const selecting = servicesIn(namespace).filter((service) => selectsPod(service, metadata.labels ?? {}));
    return new Set(selecting.map(({ metadata: { name } }) => `${namespace}/${name}`));
  };
  const enqueueAll = (pod: corev1.Pod): void => {
    for (const key of membershipsOf(pod)) enqueue(key);
  };
  pods.addHandler({
    onAdd: enqueueAll,
    onDelete: enqueueAll,
    onUpdate: (pod, old) => {
      const { isChanged, labelsChanged } = podChange(pod, old);
      if (!isChanged && !labelsChanged) return;
      const now = membershipsOf(pod);
      const before = labelsChanged ? membershipsOf(old) : now;
      for (const key of now) if (isChanged || !before.has(key)) enqueue(key);
      for (const key of before) if (!now.has(key)) enqueue(key);
    },
  });
}

/** A service without a selector selects no pods. */
export function selectsPod({ spec }: corev1.Service, labels: Readonly<Record<string, string>>): boolean {
  return spec.selector !== undefined && Object.entries(spec.selector).every(([key, value]) => labels[key] === value);
}
