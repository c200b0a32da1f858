import { cacheKeyOf, hasStatus } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import { goQuote } from '../../meta/index.ts';
import { type corev1, corev1Pods, type policyv1, policyv1PodDisruptionBudgets } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { formatSelector } from '../format-selector.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';
import { BudgetIndex } from './budget-index.ts';
import { countHealthyPods, failedStatus, findDisruptedPods, nextStatus } from './budget-status.ts';
import { ControllerScales } from './controller-scales.ts';
import { countExpectedPods } from './expected-pods.ts';
import { staleConditionMs, withoutDisruptionTarget } from './stale-condition.ts';

/** Counts the healthy pods of disruption budgets, by which evictions are granted. Cf. pkg/controller/disruption. */
export const disruptionController: Controller = (context) => {
  const { client, clock, informers } = context;
  // The real event source has this name, unlike those of the other controllers.
  const recorder = createEventRecorder(context, 'controllermanager');
  const budgets = informers.informer(policyv1PodDisruptionBudgets);
  const pods = informers.informer(corev1Pods);
  const scales = new ControllerScales(client, informers);
  const index = new BudgetIndex(budgets, pods);

  const updateStatus = async (
    budget: policyv1.PodDisruptionBudget,
    status: policyv1.PodDisruptionBudgetStatus | undefined,
  ): Promise<void> => {
    if (status) await client.resource(policyv1PodDisruptionBudgets).updateStatus({ ...budget, status });
  };

  /** The status to write; undefined: it has not changed. @throws Error when the pods cannot be counted */
  const computeStatus = async (budget: policyv1.PodDisruptionBudget): Promise<policyv1.PodDisruptionBudgetStatus | undefined> => {
    const selected = index.podsOf(budget);
    if (selected.length === 0) recorder.event(budget, 'Normal', 'NoPods', 'No matching pods found');
    const { expected, desiredHealthy, hasUnmanaged } = await countExpectedPods(budget.spec, selected, (...args) =>
      scales.find(...args),
    ).catch((error: unknown) => {
      const message = `Failed to calculate the number of expected pods: ${errorMessage(error)}`;
      recorder.event(budget, 'Warning', 'CalculateExpectedPodCountFailed', message);
      throw error;
    });
    if (hasUnmanaged) recorder.event(budget, 'Warning', 'UnmanagedPods', unmanagedMessage(budget));
    const nowMs = clock.nowMs();
    const disrupted = findDisruptedPods(budget, selected, nowMs);
    const { namespace } = budget.metadata;
    // The real message has the namespace twice.
    const overdue = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    for (const pod of disrupted.overdue) recorder.event(pod, 'Warning', 'NotDeleted', overdue);
    const healthy = countHealthyPods(selected, disrupted.pods, nowMs);
    // A deletion is overdue after its time.
    if (disrupted.recheckMs !== undefined) queue.addAfter(cacheKeyOf(budget), disrupted.recheckMs + 1);
    return nextStatus(budget, { expected, desiredHealthy, healthy, disrupted: disrupted.pods }, nowMs);
  };

  const reconcile = async (key: string): Promise<void> => {
    const budget = budgets.store.get(key);
    if (!budget) return;
    let isComputed = false;
    try {
      const status = await computeStatus(budget);
      isComputed = true;
      await updateStatus(budget, status);
    } catch (error) {
      // After a conflict the budget is queued again, without the status of a failure.
      if (hasStatus(error, 409)) throw error;
      await updateStatus(budget, failedStatus(budget, errorMessage(error), clock.nowMs()));
      // Upstream relies on the event of this write, which does not come when the same failure was written before.
      if (isComputed) throw error;
    }
  };

  const syncPod = async (key: string): Promise<void> => {
    const pod = pods.store.get(key);
    const staleMs = pod && staleConditionMs(pod, clock.nowMs());
    if (!pod || staleMs === undefined) return;
    if (staleMs > 0) podQueue.addAfter(key, staleMs);
    else await ignoreStaleWrite(client.resource(corev1Pods).updateStatus(withoutDisruptionTarget(pod, clock.nowMs())));
  };

  const name = 'disruption-controller';
  const queue = startWorkers({ name, informers: [budgets, pods, ...scales.informers], reconcile, workers: 1 }, context);
  const podQueue = startWorkers({ name, informers: [pods], reconcile: syncPod, workers: 1 }, context);

  const enqueue = (budget: policyv1.PodDisruptionBudget): void => queue.add(cacheKeyOf(budget));
  budgets.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });

  const enqueueBudgetOf = (pod: corev1.Pod): void => {
    const [budget, ...others] = index.budgetsOf(pod);
    if (!budget) return;
    if (others.length > 0) recorder.event(pod, 'Warning', 'MultiplePodDisruptionBudgets', multipleMessage(pod, budget));
    enqueue(budget);
  };
  const enqueuePod = (pod: corev1.Pod): void => {
    enqueueBudgetOf(pod);
    const staleMs = staleConditionMs(pod, clock.nowMs());
    if (staleMs !== undefined) podQueue.addAfter(cacheKeyOf(pod), staleMs);
  };
  pods.addHandler({ onAdd: enqueuePod, onUpdate: enqueuePod, onDelete: enqueueBudgetOf });
};

function unmanagedMessage({ spec }: policyv1.PodDisruptionBudget): string {
  return `Pods selected by this PodDisruptionBudget (selector: ${formatSelector(spec.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
}

function multipleMessage({ metadata }: corev1.Pod, budget: policyv1.PodDisruptionBudget): string {
  const pod = `${goQuote(metadata.namespace ?? '')}/${goQuote(metadata.name ?? '')}`;
  return `Pod ${pod} matches multiple PodDisruptionBudgets.  Chose ${goQuote(budget.metadata.name ?? '')} arbitrarily.`;
}
