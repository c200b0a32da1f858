import type { corev1 } from '../../schema/api/index.ts';

/** A reference to a pod in an event. */
export function podReference(pod: corev1.Pod): corev1.ObjectReference {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = pod.metadata;
  return { kind: 'Pod', namespace, name, uid, apiVersion: 'v1', resourceVersion };
}
