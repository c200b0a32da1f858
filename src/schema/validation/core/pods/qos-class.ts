import { isSameAmount, parseQuantity, signOfQuantity } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import type { Decoded } from '../../decoded.ts';

const counted = ['cpu', 'memory'] as const;

type Resources = Decoded<corev1.ResourceRequirements>;

/** Cf. upstream ComputePodQOS. */
export function computePodQosClass({ containers, initContainers = [], resources: whole }: Decoded<corev1.PodSpec>): string {
  const all = whole ? [whole] : [...(containers ?? []), ...initContainers].map(({ resources }) => resources ?? {});
  const listed = all.flatMap((resources) => [...amounts(resources, 'requests'), ...amounts(resources, 'limits')]);
  if (listed.length === 0) return 'BestEffort';
  return all.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function isGuaranteed(resources: Resources): boolean {
  const [requests, limits] = [new Map(amounts(resources, 'requests')), new Map(amounts(resources, 'limits'))];
  return counted.every((name) => {
    const limit = limits.get(name);
    const request = requests.get(name) ?? limit;
    return limit !== undefined && request !== undefined && isSameAmount(limit, request);
  });
}

/** Positive amounts of cpu and memory. */
function amounts(resources: Resources, part: 'requests' | 'limits'): readonly (readonly [name: string, amount: string])[] {
  return counted.flatMap((name) => {
    const amount = resources[part]?.[name];
    return amount !== undefined && signOfQuantity(parseQuantity(amount)) > 0 ? [[name, amount] as const] : [];
  });
}
