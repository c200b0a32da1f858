import { type corev1, corev1Nodes } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';

const name = 'ttl-controller';

/** Seconds for which kubelets may cache secrets and config maps, by the number of nodes. Cf. pkg/controller/ttl ttlBoundaries. */
const steps: readonly { readonly min: number; readonly max: number; readonly seconds: number }[] = [
  { min: 0, max: 100, seconds: 0 },
  { min: 90, max: 500, seconds: 15 },
  { min: 450, max: 1000, seconds: 30 },
  { min: 900, max: 2000, seconds: 60 },
  { min: 1800, max: Number.POSITIVE_INFINITY, seconds: 300 },
];

/** Annotates nodes with the time for which their kubelets may cache. */
export const ttl: Controller = (context) => {
  const { client, informers, product } = context;
  const annotation = product.rename('node.alpha.kubernetes.io/ttl');
  const nodes = informers.informer(corev1Nodes);
  let step = 0;
  const reconcile = async (key: string): Promise<void> => {
    const node = nodes.store.get(key);
    const wanted = String(steps[step]?.seconds ?? 0);
    if (!node || node.metadata.annotations?.[annotation] === wanted) return;
    const patch = { metadata: { annotations: { [annotation]: wanted } } };
    await ignoreStaleWrite(client.resource(corev1Nodes).patch({ name: key }, 'strategic', patch));
  };
  const queue = startWorkers({ name, informers: [nodes], reconcile }, context);
  const onCount = (): void => {
    const before = step;
    step = nextStep(step, nodes.store.size);
    if (step !== before) for (const key of nodes.store.keys()) queue.add(key);
  };
  const onNode = ({ metadata }: corev1.Node): void => queue.add(metadata.name ?? '');
  nodes.addHandler({
    onAdd: (node) => {
      onCount();
      onNode(node);
    },
    onUpdate: onNode,
    onDelete: onCount,
  });
};

/** The step for a number of nodes; steps overlap, so that it does not change back and forth. */
export function nextStep(step: number, nodes: number): number {
  let next = step;
  while (nodes > (steps[next]?.max ?? Number.POSITIVE_INFINITY)) next += 1;
  while (nodes < (steps[next]?.min ?? 0)) next -= 1;
  return next;
}
