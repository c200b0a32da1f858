import { hasStatus, runWorkers, WorkQueue } from '../../client/index.ts';
import { formatMicroTime, nodeStateOf, type Product } from '../../meta/index.ts';
import { type corev1, corev1Pods } from '../../schema/api/index.ts';
import { hexDigest } from '../hash.ts';
import { ignoreMissing } from '../ignore-missing.ts';
import { type NodeContext, podsByNode } from '../node-context.ts';
import type { StaticPodManifest, StaticPods } from '../options.ts';
import { isMirrorPod, mirrorHashOf } from './mirror-pods.ts';

/** The static pods of nodes. */
export interface StaticPodSource {
  of(node: string): readonly StaticPodManifest[];
  /** Calls the listener after each change; the returned function removes it. */
  onChange(listener: () => void): () => void;
}

/** Creates the mirror pods of static pods, again when they are deleted, and removes those without a manifest. Cf. pkg/kubelet/pod mirror_client. */
export const createStaticPods = (source: StaticPodSource): StaticPods => ({
  start: (context, isOwn) => startStaticPods(source, context, isOwn),
  isWanted(pod, { nodes, product }) {
    const node = nodes.store.get(pod.spec.nodeName ?? '');
    const manifests = node ? source.of(node.metadata.name ?? '') : [];
    return manifests.some(
      (manifest) => node && mirrorHashOf(mirrorPod(manifest, node, product, 0), product) === mirrorHashOf(pod, product),
    );
  },
});

function startStaticPods(source: StaticPodSource, context: NodeContext, isOwn: (name: string) => boolean): { add(node: string): void } {
  const { clock, log, nodes, pods, product, signal } = context;
  const queue = new WorkQueue<string>({ clock, signal });

  const reconcile = async (name: string): Promise<void> => {
    const node = nodes.store.get(name);
    if (!node || nodeStateOf(node) !== 'running') return;
    const wanted = source.of(name).map((manifest) => mirrorPod(manifest, node, product, clock.nowMs()));
    const client = context.clients.of(name).resource(corev1Pods);
    const existing = pods.store.byIndex(podsByNode, name).filter((pod) => isMirrorPod(pod, product));
    for (const pod of existing) {
      if (wanted.some((one) => mirrorHashOf(one, product) === mirrorHashOf(pod, product) && pod.metadata.deletionTimestamp === undefined))
        continue;
      const { namespace = '', name: podName = '', uid = '' } = pod.metadata;
      await ignoreMissing(client.delete({ namespace, name: podName }, { gracePeriodSeconds: 0, preconditions: { uid } }));
    }
    for (const pod of wanted) {
      if (existing.some((one) => mirrorHashOf(one, product) === mirrorHashOf(pod, product))) continue;
      try {
        await client.create(pod);
      } catch (error) {
        // The pod that has the name is being removed: its watch event follows.
        if (!hasStatus(error, 409)) throw error;
      }
    }
  };
  void Promise.all([nodes.synced, pods.synced]).then(() => runWorkers({ queue, workers: 1, reconcile, name: 'static pods', log, signal }));
  const enqueue = (pod: corev1.Pod): void => {
    if (isMirrorPod(pod, product) && isOwn(pod.spec.nodeName ?? '')) queue.add(pod.spec.nodeName ?? '');
  };
  pods.addHandler({ onUpdate: (pod) => pod.metadata.deletionTimestamp !== undefined && enqueue(pod), onDelete: enqueue });
  signal.addEventListener(
    'abort',
    source.onChange(() => {
      for (const { metadata } of nodes.store.list()) if (isOwn(metadata.name ?? '')) queue.add(metadata.name ?? '');
    }),
    { once: true },
  );
  return { add: (node) => queue.add(node) };
}

/** Cf. pkg/kubelet/config applyDefaults, CreateMirrorPod. */
function mirrorPod(
  { metadata, spec }: StaticPodManifest,
  node: corev1.Node,
  { rename }: Pick<Product, 'rename'>,
  nowMs: number,
): Omit<corev1.Pod, 'kind' | 'apiVersion'> {
  const { name: nodeName = '', uid = '' } = node.metadata;
  const text = JSON.stringify([nodeName, metadata, spec]);
  const digest = hexDigest(text, 32);
  const annotations = {
    ...metadata.annotations,
    [rename('kubernetes.io/config.hash')]: digest,
    [rename('kubernetes.io/config.mirror')]: digest,
    [rename('kubernetes.io/config.seen')]: formatMicroTime(nowMs).replace('Z', '000Z'),
    [rename('kubernetes.io/config.source')]: 'file',
  };
  return {
    metadata: {
      ...metadata,
      name: `${metadata.name}-${nodeName}`,
      namespace: metadata.namespace ?? 'default',
      annotations,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid, controller: true }],
    },
    spec: { ...spec, nodeName, tolerations: [...(spec.tolerations ?? []), { operator: 'Exists', effect: 'NoExecute' }] },
    status: {},
  } as Omit<corev1.Pod, 'kind' | 'apiVersion'>;
}
