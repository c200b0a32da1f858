import { cacheKeyOf, splitCacheKey } from '../../client/index.ts';
import { sameJson } from '../../meta/index.ts';
import { type corev1, corev1Nodes, corev1Pods } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { podsByNode } from '../nodes/index.ts';
import { patchDisruption } from '../pods/index.ts';
import { startWorkers } from '../start-workers.ts';
import { tolerationSeconds } from './tolerations.ts';

const name = 'taint-eviction-controller';
const reason = 'TaintManagerEviction';
const disruption = { reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' };

/** Deletes the pods that do not tolerate the NoExecute taints of their node. Cf. pkg/controller/tainteviction. */
export const taintEviction: Controller = (context) => {
  const { client, clock, informers } = context;
  const recorder = createEventRecorder(context, name);
  const nodes = informers.informer(corev1Nodes);
  const pods = informers.informer(corev1Pods);
  const podsOf = podsByNode(pods.store);
  const writer = client.resource(corev1Pods);
  /** Cancels the evictions that are due later, by the keys of the pods. */
  const scheduled = new Map<string, () => void>();

  const evict = async (key: string): Promise<void> => {
    const { namespace, name: podName } = splitCacheKey(key);
    const pod = await writer.getIfExists({ namespace, name: podName });
    if (!pod) return;
    await patchDisruption(pod, { disruption }, writer, clock.nowMs());
    await ignoreNotFound(writer.delete({ namespace, name: podName }));
  };
  const queue = startWorkers({ name, informers: [nodes, pods], reconcile: evict, workers: 8 }, context);

  const record = (key: string, what: string): void => {
    const { namespace, name: podName } = splitCacheKey(key);
    const about = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name: podName } };
    recorder.event(about, 'Normal', reason, `${what} Pod ${key}`);
  };
  const startEviction = (key: string): void => {
    record(key, 'Marking for deletion');
    queue.add(key);
  };
  const cancel = (key: string): void => {
    const cancelEviction = scheduled.get(key);
    if (!cancelEviction) return;
    cancelEviction();
    scheduled.delete(key);
    record(key, 'Cancelling deletion of');
  };

  /** Cf. processPodOnNode. */
  const processPod = (pod: corev1.Pod, taints: readonly corev1.Taint[]): void => {
    const key = cacheKeyOf(pod);
    const seconds = taints.length === 0 ? undefined : tolerationSeconds(taints, pod.spec.tolerations ?? []);
    if (seconds === undefined) cancel(key);
    else if (seconds === 'intolerant') {
      cancel(key);
      startEviction(key);
    } else if (!scheduled.has(key)) {
      const run = (): void => {
        scheduled.delete(key);
        startEviction(key);
      };
      if (seconds === 0) run();
      else scheduled.set(key, clock.schedule(seconds * 1000, run));
    }
  };

  const noExecuteTaints = (node: corev1.Node | undefined): readonly corev1.Taint[] =>
    (node?.spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  const onNode = (node: corev1.Node, old?: corev1.Node): void => {
    const taints = noExecuteTaints(node);
    if (sameJson(taints, noExecuteTaints(old))) return;
    for (const pod of podsOf(node.metadata.name ?? '')) processPod(pod, taints);
  };
  const onPod = (pod: corev1.Pod, old?: corev1.Pod): void => {
    const { nodeName, tolerations } = pod.spec;
    if (!nodeName || (old && nodeName === old.spec.nodeName && sameJson(tolerations, old.spec.tolerations))) return;
    const taints = noExecuteTaints(nodes.store.get(nodeName));
    if (taints.length > 0) processPod(pod, taints);
  };
  nodes.addHandler({ onAdd: onNode, onUpdate: onNode });
  pods.addHandler({ onAdd: onPod, onUpdate: onPod, onDelete: (pod) => cancel(cacheKeyOf(pod)) });
  const cancelAll = (): void => {
    for (const cancelEviction of scheduled.values()) cancelEviction();
  };
  context.signal.addEventListener('abort', cancelAll, { once: true });
};
