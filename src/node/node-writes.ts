import { type corev1, corev1Nodes, corev1Pods } from '../schema/api/index.ts';
import { ignoreMissing } from './ignore-missing.ts';
import type { NodeClients } from './node-clients.ts';

/** Patches the status of a node as that node. */
export function patchNodeStatus(clients: NodeClients, name: string, status: Partial<corev1.NodeStatus>): Promise<unknown> {
  return ignoreMissing(clients.of(name).resource(corev1Nodes).patch({ name }, 'strategic', { status }, { subresource: 'status' }));
}

/** Patches the status of a pod as its node. Undefined: the pod is deleted. */
export function patchPodStatus(clients: NodeClients, { metadata, spec }: corev1.Pod, status: object): Promise<corev1.Pod | undefined> {
  const { name = '', namespace = '', uid = '' } = metadata;
  const pods = clients.of(spec.nodeName ?? '').resource(corev1Pods);
  return ignoreMissing(pods.patch({ name, namespace }, 'strategic', { metadata: { uid }, status }, { subresource: 'status' }));
}

/** Deletes a pod whose containers have ended, as its node. */
export function removePod(clients: NodeClients, { metadata, spec }: corev1.Pod): Promise<unknown> {
  const { name = '', namespace = '', uid = '' } = metadata;
  const pods = clients.of(spec.nodeName ?? '').resource(corev1Pods);
  return ignoreMissing(pods.delete({ name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid } }));
}
