import type { JsonObject } from '../../meta/index.ts';
import type { corev1 } from '../api/index.ts';
import { maxAmounts, type ResourcePart, sumPodResources } from '../sum-pod-resources.ts';
import type { Decoded } from '../validation/decoded.ts';
import { sumUsage, type Usage } from './usage.ts';

const computed: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** What a pod counts for in quotas. Cf. pkg/quota/v1/evaluator/core podComputeUsageHelper. */
export function podUsage(pod: Decoded<corev1.Pod>): Usage {
  const usage: Record<string, string> = { pods: '1' };
  for (const [name, amount] of Object.entries(podAmounts(pod, 'requests'))) {
    if (computed.has(name) || name.startsWith('hugepages-')) usage[name] = amount;
    usage[`requests.${name}`] = amount;
  }
  for (const [name, amount] of Object.entries(podAmounts(pod, 'limits'))) {
    if (computed.has(name)) usage[`limits.${name}`] = amount;
  }
  return usage;
}

/** Amounts of the pod as a whole override those of its containers; the overhead is added. Cf. resourcehelper.PodRequests, PodLimits. */
function podAmounts(pod: Decoded<corev1.Pod>, part: ResourcePart): Usage {
  const { spec = {} } = pod;
  const amounts = { ...sumPodResources(spec, part, actualAmounts(pod, part)), ...spec.resources?.[part] } as Usage;
  const overhead = (spec.overhead ?? {}) as Usage;
  if (part === 'requests') return sumUsage(amounts, overhead);
  // Without a limit the overhead is not limited either.
  return sumUsage(amounts, Object.fromEntries(Object.entries(overhead).filter(([name]) => amounts[name] !== undefined)));
}

/**
 * During a resize in place the larger of the specified and the actual amounts count, and only the latter while the resize is infeasible.
 * Cf. determineContainerReqs, determineContainerLimits.
 */
function actualAmounts({ spec, status }: Decoded<corev1.Pod>, part: ResourcePart): (container: Decoded<corev1.Container>) => JsonObject {
  const isInfeasible = (status?.conditions ?? []).some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible');
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name);
  const ofSidecars = (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.includes(name));
  const statuses = [...(status?.containerStatuses ?? []), ...ofSidecars];
  return ({ name, resources }) => {
    const specified = resources?.[part] ?? {};
    const container = statuses.find((one) => one.name === name);
    if (!container?.resources) return specified;
    const allocated = part === 'requests' ? (container.allocatedResources ?? {}) : {};
    const actual = maxAmounts(container.resources[part] ?? {}, allocated);
    return isInfeasible ? actual : maxAmounts(specified, actual);
  };
}
