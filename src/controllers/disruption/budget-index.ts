import type { SharedInformer } from '../../client/index.ts';
import type { corev1, policyv1 } from '../../schema/api/index.ts';
import { labelMatcher, NamespacedObjects } from '../pods/index.ts';

type Budget = policyv1.PodDisruptionBudget;

/** Finds the pods of budgets and the budgets of pods in the caches. */
export class BudgetIndex {
  readonly #budgets: NamespacedObjects<Budget>;
  readonly #pods: NamespacedObjects<corev1.Pod>;

  constructor(budgets: SharedInformer<Budget>, pods: SharedInformer<corev1.Pod>) {
    this.#budgets = new NamespacedObjects(budgets);
    this.#pods = new NamespacedObjects(pods);
  }

  /** Also pods that ended. @throws SelectorError for an invalid selector */
  podsOf({ metadata, spec }: Budget): readonly corev1.Pod[] {
    const isSelected = labelMatcher(spec.selector);
    return this.#pods.in(metadata.namespace).filter((pod) => isSelected(pod.metadata.labels));
  }

  /** Cf. GetPodPodDisruptionBudgets: a budget with an invalid selector has no pods. */
  budgetsOf({ metadata }: corev1.Pod): readonly Budget[] {
    return this.#budgets.in(metadata.namespace).filter(({ spec }) => {
      try {
        return labelMatcher(spec.selector)(metadata.labels);
      } catch {
        return false;
      }
    });
  }
}
