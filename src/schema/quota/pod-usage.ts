import { addQuantities, formatQuantity, type JsonObject, parseQuantity, recordAt } from '../../meta/index.ts';
import { sumPodResources } from '../sum-pod-resources.ts';
import type { Usage } from './quota-usage.ts';

const computed: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** What a pod counts for in quotas. Cf. pkg/quota/v1/evaluator/core podComputeUsageHelper. */
export function podUsage(spec: JsonObject): Usage {
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
function podAmounts(spec: JsonObject, part: 'requests' | 'limits'): Usage {
  const amounts: Record<string, string> = {
    ...(sumPodResources(spec, part) as Usage),
    ...(recordAt(recordAt(spec, 'resources'), part) as Usage),
  };
  for (const [name, amount] of Object.entries(recordAt(spec, 'overhead') as Usage)) {
    const before = amounts[name];
    // Without a limit the overhead is not limited either.
    if (before === undefined && part === 'limits') continue;
    amounts[name] = before === undefined ? amount : formatQuantity(addQuantities(parseQuantity(before), parseQuantity(amount)));
  }
  return amounts;
}
