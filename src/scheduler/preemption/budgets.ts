import type { policyv1 } from '../../schema/api/index.ts';
import { type PodInfo, selectorOf, selects } from '../framework/pod-info.ts';

/** Pods whose eviction would violate a disruption budget, and the others; both in the given order. */
export interface ByViolation {
  readonly violating: readonly PodInfo[];
  readonly others: readonly PodInfo[];
}

/** Cf. defaultpreemption filterPodsWithPDBViolation. */
export function divideByViolation(pods: readonly PodInfo[], budgets: readonly policyv1.PodDisruptionBudget[]): ByViolation {
  const open = budgets.map(({ metadata, spec, status }) => ({
    namespace: metadata.namespace,
    selector: selectorOf(spec.selector),
    disrupted: status.disruptedPods ?? {},
    allowed: status.disruptionsAllowed,
  }));
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const pod of pods) {
    let isViolating = false;
    for (const budget of open) {
      const { namespace, selector, disrupted } = budget;
      // A budget with an empty selector does not protect pods here.
      if (namespace !== pod.namespace || !selector || selector.length === 0 || !selects(selector, pod.labels)) continue;
      // The eviction of the pod was counted already.
      if (Object.hasOwn(disrupted, pod.pod.metadata.name ?? '')) continue;
      budget.allowed -= 1;
      if (budget.allowed < 0) isViolating = true;
    }
    (isViolating ? violating : others).push(pod);
  }
  return { violating, others };
}
