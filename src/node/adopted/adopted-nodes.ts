import { runWorkers, WorkQueue } from '../../client/index.ts';
import { type corev1, corev1Pods } from '../../schema/api/index.ts';
import { ignoreMissing } from '../ignore-missing.ts';
import type { NodeContext } from '../node-context.ts';
import { patchNodeStatus, patchPodStatus, removePod } from '../node-writes.ts';
import { PodAddresses } from '../pod-addresses.ts';
import type { PodReconciler } from '../pod-reconciler.ts';
import { fastNodeStatus, runningStatus, succeededStatus } from './fast-status.ts';

/** Nodes with this annotation are adopted, as by kwok's default `--manage-nodes-with-annotation-selector`. */
const adoptedAnnotation = 'kwok.x-k8s.io/node';
const adoptedValue = 'fake';

/** The versions that adopted nodes report. */
const version = 'kwok-v0.7.0';

/** Addresses of the pods of all adopted nodes. */
const podRange = '10.0.0.0/14';

/** Whether a node is run as kwok would run it. */
export function isAdopted(node: corev1.Node | undefined, { product }: Pick<NodeContext, 'product'>): boolean {
  const { annotations = {} } = node?.metadata ?? {};
  return [adoptedAnnotation, product.rename(adoptedAnnotation)].some((name) => annotations[name] === adoptedValue);
}

/** Makes adopted nodes ready; `onAdopted` is called for each of them at least once. */
export function startAdoptedNodes(context: NodeContext, isOwn: (name: string) => boolean, onAdopted: (name: string) => void): void {
  const { clock, log, signal, clients, nodes } = context;
  const queue = new WorkQueue<string>({ clock, signal });
  const known = new Set<string>();
  const reconcile = async (name: string): Promise<void> => {
    const node = nodes.store.get(name);
    if (!node) {
      known.delete(name);
      clients.forget(name);
      return;
    }
    if (!known.has(name)) onAdopted(name);
    known.add(name);
    const status = fastNodeStatus(node, clock.nowMs(), version);
    if (status) await patchNodeStatus(clients, name, status);
  };
  runWorkers({ queue, workers: 4, reconcile, name: 'adopted nodes', log, signal });
  const enqueue = (node: corev1.Node): void => {
    const { name = '' } = node.metadata;
    if (known.has(name) || (!isOwn(name) && isAdopted(node, context))) queue.add(name);
  };
  nodes.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
}

/** Runs the pods of adopted nodes: they are ready at once, those of Jobs succeed at once, and deleted ones are removed at once. */
export function createAdoptedPods(context: NodeContext): PodReconciler {
  const { client, clients, clock, product } = context;
  const addresses = new PodAddresses(podRange);
  const jobVersion = product.rename('batch/v1');
  const isOfJob = ({ metadata }: corev1.Pod): boolean =>
    (metadata.ownerReferences ?? []).some(({ apiVersion, kind }) => kind === 'Job' && apiVersion === jobVersion);
  const remove = async (pod: corev1.Pod): Promise<void> => {
    const { name = '', namespace = '', uid = '', finalizers = [] } = pod.metadata;
    // Nodes may not write finalizers: kwok does it as an administrator.
    if (finalizers.length > 0) {
      const change = { metadata: { uid, finalizers: null as unknown as string[] } };
      await ignoreMissing(client.resource(corev1Pods).patch({ name, namespace }, 'merge', change));
    }
    await removePod(clients, pod);
  };
  return {
    async reconcile(pod) {
      const { uid = '', deletionTimestamp } = pod.metadata;
      if (deletionTimestamp !== undefined) return remove(pod);
      const { podIP = '', phase } = pod.status;
      if (podIP === '') {
        await patchPodStatus(clients, pod, runningStatus(pod, addresses.allocate(uid), clock.nowMs()));
        return;
      }
      addresses.reserve(uid, podIP);
      if (phase === 'Running' && isOfJob(pod)) await patchPodStatus(clients, pod, succeededStatus(pod, clock.nowMs()));
    },
    forget: ({ metadata: { uid = '' } }) => addresses.release(uid),
  };
}
