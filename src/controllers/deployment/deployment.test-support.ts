import type { appsv1, corev1, metav1 } from '../../schema/api/index.ts';

export const template = (image = 'nginx', labels: Readonly<Record<string, string>> = { app: 'web' }): corev1.PodTemplateSpec => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image, resources: {} }] },
});

/** A deployment of generation 2 that updates with a surge of 1 and 0 unavailable pods, unless `spec` differs. */
export function deploymentWith(
  spec: Partial<appsv1.DeploymentSpec> = {},
  status: appsv1.DeploymentStatus = {},
  metadata: metav1.ObjectMeta = {},
): appsv1.Deployment {
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  return {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { namespace: 'default', name: 'web', uid: 'web', generation: 2, ...metadata },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: template(), strategy, ...spec },
    status,
  };
}

/** A set with pods that are all available, unless `status` differs. */
export function setWith(
  name: string,
  replicas: number,
  status: Partial<appsv1.ReplicaSetStatus> = {},
  metadata: metav1.ObjectMeta = {},
): appsv1.ReplicaSet {
  return {
    kind: 'ReplicaSet',
    apiVersion: 'apps/v1',
    metadata: { namespace: 'default', name, uid: name, generation: 1, ...metadata },
    spec: { replicas, selector: null, template: template() },
    status: { replicas, readyReplicas: replicas, availableReplicas: replicas, observedGeneration: 1, ...status },
  };
}
