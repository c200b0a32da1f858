import type { corev1 } from '../api/index.ts';
import { sumPodResources } from '../sum-pod-resources.ts';
import type { Decoded } from '../validation/decoded.ts';
import { sumUsage, type Usage } from './usage.ts';

const computed: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** What a pod counts for in quotas. Cf. pkg/quota/v1/evaluator/core podComputeUsageHelper. */
export function podUsage({ spec = {} }: Decoded<corev1.Pod>): Usage {
  const usage: Record<string, string> = { pods: '1' };
  for (const [name, amount] of Object.entries(podAmounts(spec, 'requests'))) {
    if (computed.has(name) || name.startsWith('hugepages-')) usage[name] = amount;
    usage[`requests.${name}`] = amount;
  }
  for (const [name, amount] of Object.entries(podAmounts(spec, 'limits'))) {
    if (computed.has(name)) usage[`limits.${name}`] = amount;
  }
  return usage;
}

/** Amounts of the pod as a whole override those of its containers; the overhead is added. Cf. resourcehelper.PodRequests, PodLimits. */
function podAmounts(spec: Decoded<corev1.PodSpec>, part: 'requests' | 'limits'): Usage {
  const amounts = { ...sumPodResources(spec, part), ...spec.resources?.[part] } as Usage;
  const overhead = (spec.overhead ?? {}) as Usage;
  if (part === 'requests') return sumUsage(amounts, overhead);
  // Without a limit the overhead is not limited either.
  return sumUsage(amounts, Object.fromEntries(Object.entries(overhead).filter(([name]) => amounts[name] !== undefined)));
}
