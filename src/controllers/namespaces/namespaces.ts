import { cacheKeyOf, createControllerRateLimiter } from '../../client/index.ts';
import { formatTime } from '../../meta/index.ts';
import { type corev1, corev1Namespaces } from '../../schema/api/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { startWorkers } from '../start-workers.ts';
import { isActive } from './is-active.ts';
import { updateConditions } from './namespace-conditions.ts';
import { deleteNamespaceContent } from './namespace-content.ts';

/** Delay for writes that were in flight when a namespace was deleted (upstream namespaceDeletionGracePeriod). */
const graceMs = 5_000;

/** Deletes the content of terminating namespaces, then finalizes them (part 3.1). Cf. pkg/controller/namespace. */
export const namespaces: Controller = (context) => {
  const { clock, informers } = context;
  const informer = informers.informer(corev1Namespaces);
  const reconcile = async (name: string): Promise<void> => {
    const againMs = await syncNamespace(name, context);
    if (againMs !== undefined) queue.addAfter(name, againMs);
  };
  // Cf. upstream nsControllerRateLimiter: deletions are retried after a minute at the latest.
  const rateLimiter = createControllerRateLimiter<string>(clock, { maxMs: 60_000 });
  const queue = startWorkers({ name: 'namespace-controller', informers: [informer], reconcile, workers: 10, rateLimiter }, context);
  const enqueue = (namespace: corev1.Namespace): void => {
    if (!isActive(namespace)) queue.addAfter(cacheKeyOf(namespace), graceMs);
  };
  informer.addHandler({ onAdd: enqueue, onUpdate: enqueue });
};

/** One attempt; returns the delay of the next one in milliseconds, or undefined when nothing is left to do. @throws ApiError */
async function syncNamespace(name: string, context: ControllerContext): Promise<number | undefined> {
  const { client, clock, product } = context;
  const writer = client.resource(corev1Namespaces);
  const namespace = await writer.getIfExists({ name });
  if (!namespace || isActive(namespace) || (namespace.spec.finalizers ?? []).length === 0) return undefined;
  const emptied = await deleteNamespaceContent(namespace, context);
  const conditions = updateConditions(namespace, emptied, formatTime(clock.nowMs()));
  if (conditions) await writer.updateStatus({ ...namespace, status: { ...namespace.status, conditions } });
  const problems = [...emptied.stale, ...emptied.failures];
  if (problems.length > 0) throw new Error(problems.join(', '));
  if (emptied.estimateSeconds > 0) return retryDelayMs(emptied.estimateSeconds);
  const latest = await writer.getIfExists({ name });
  if (latest) await writer.update(withoutFinalizer(latest, product.names.namespaceFinalizer), { subresource: 'finalize' });
  return undefined;
}

/** Half of the time in whole seconds, and one more. Cf. worker. */
export function retryDelayMs(estimateSeconds: number): number {
  return (Math.trunc(estimateSeconds / 2) + 1) * 1000;
}

/** Removes only the namespace controller's finalizer; others may remain. */
function withoutFinalizer(namespace: corev1.Namespace, own: string): corev1.Namespace {
  return { ...namespace, spec: { finalizers: (namespace.spec.finalizers ?? []).filter((finalizer) => finalizer !== own) } };
}
