import type { SharedInformer } from '../../client/index.ts';
import type { corev1, policyv1 } from '../../schema/api/index.ts';
import { namespaceLister } from '../namespace-lister.ts';
import { labelMatcher } from '../pods/index.ts';

type Budget = policyv1.PodDisruptionBudget;

/** Finds the pods of budgets and the budgets of pods in the caches. */
export class BudgetIndex {
  readonly #budgetsIn: (namespace?: string) => readonly Budget[];
  readonly #podsIn: (namespace?: string) => readonly corev1.Pod[];

  constructor(budgets: SharedInformer<Budget>, pods: SharedInformer<corev1.Pod>) {
    this.#budgetsIn = namespaceLister(budgets.store);
    this.#podsIn = namespaceLister(pods.store);
  }

  /** Also pods that ended. @throws SelectorError for an invalid selector */
  podsOf({ metadata, spec }: Budget): readonly corev1.Pod[] {
    const isSelected = labelMatcher(spec.selector);
    return this.#podsIn(metadata.namespace).filter((pod) => isSelected(pod.metadata.labels));
  }

  /** Cf. GetPodPodDisruptionBudgets: a budget with an invalid selector has no pods. */
  budgetsOf({ metadata }: corev1.Pod): readonly Budget[] {
    return this.#budgetsIn(metadata.namespace).filter(({ spec }) => {
      try {
        return labelMatcher(spec.selector)(metadata.labels);
      } catch {
        return false;
      }
    });
  }
}
