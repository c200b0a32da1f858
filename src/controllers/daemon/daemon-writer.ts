import { cacheKeyOf, hasStatus } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import { aggregateErrors } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import type { Expectations } from '../expectations.ts';
import { isNamespaceTerminating, type PodControl, slowStartBatch } from '../pods/index.ts';
import { newDaemonPod } from './daemon-pod.ts';
import type { DaemonPlan } from './manage.ts';

/** Number of pods that are created, and deleted, in a sync (upstream BurstReplicas). */
const burst = 250;

/** Creates and deletes the pods of a plan, and expects the cache to show them. Cf. pkg/controller/daemon syncNodes. */
export async function applyPlan(
  set: appsv1.DaemonSet,
  plan: DaemonPlan,
  hash: string,
  control: PodControl,
  expectations: Expectations,
): Promise<void> {
  const key = cacheKeyOf(set);
  const create = plan.create.slice(0, burst);
  const remove = plan.remove.slice(0, burst);
  const failures: string[] = [];
  expectations.expect(key, create.length, remove.map(uidOf));
  const { successes } = await slowStartBatch(create.length, async (index) => {
    try {
      await control.create(newDaemonPod(set, create[index] ?? '', hash), set);
    } catch (error) {
      // The pods of a namespace that is being deleted will be deleted too.
      if (isNamespaceTerminating(error)) return;
      failures.push(errorMessage(error));
      throw error;
    }
  });
  expectations.creationObserved(key, create.length - successes);
  const deletions = remove.map(async (pod) => {
    try {
      await control.delete(pod, set);
    } catch (error) {
      expectations.deletionObserved(key, uidOf(pod));
      if (!hasStatus(error, 404)) failures.push(errorMessage(error));
    }
  });
  await Promise.all(deletions);
  if (failures.length > 0) throw new Error(aggregateErrors(failures));
}

function uidOf({ metadata }: corev1.Pod): string {
  return metadata.uid ?? '';
}
