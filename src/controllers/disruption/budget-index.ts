import type { KubeObject, SharedInformer } from '../../client/index.ts';
import type { corev1, policyv1 } from '../../schema/api/index.ts';
import { labelMatcher } from '../pods/index.ts';

type Budget = policyv1.PodDisruptionBudget;

const byNamespace = 'namespace';

/** Finds the pods of budgets and the budgets of pods in the caches. */
export class BudgetIndex {
  readonly #budgets: SharedInformer<Budget>;
  readonly #pods: SharedInformer<corev1.Pod>;

  constructor(budgets: SharedInformer<Budget>, pods: SharedInformer<corev1.Pod>) {
    this.#budgets = budgets;
    this.#pods = pods;
    indexByNamespace(budgets);
    indexByNamespace(pods);
  }

  /** Also pods that ended. @throws SelectorError for an invalid selector */
  podsOf({ metadata, spec }: Budget): readonly corev1.Pod[] {
    const isSelected = labelMatcher(spec.selector);
    return this.#pods.store.byIndex(byNamespace, metadata.namespace ?? '').filter((pod) => isSelected(pod.metadata.labels));
  }

  /** Cf. GetPodPodDisruptionBudgets: a budget with an invalid selector has no pods. */
  budgetsOf({ metadata }: corev1.Pod): readonly Budget[] {
    return this.#budgets.store.byIndex(byNamespace, metadata.namespace ?? '').filter(({ spec }) => {
      try {
        return labelMatcher(spec.selector)(metadata.labels);
      } catch {
        return false;
      }
    });
  }
}

function indexByNamespace<T extends KubeObject>({ store }: SharedInformer<T>): void {
  if (!store.hasIndex(byNamespace)) store.addIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? '']);
}
