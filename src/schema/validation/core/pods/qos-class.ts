import { isSameAmount, type JsonObject, parseQuantity, signOfQuantity } from '../../../../meta/index.ts';
import { objectsAt, recordAt } from '../../accessors.ts';

const counted = ['cpu', 'memory'] as const;

/** Cf. upstream ComputePodQOS. */
export function computePodQosClass(spec: JsonObject): string {
  const whole = spec['resources'];
  const all =
    whole === undefined
      ? [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].map((one) => recordAt(one, 'resources'))
      : [whole as JsonObject];
  const listed = all.flatMap((resources) => [...amounts(resources, 'requests'), ...amounts(resources, 'limits')]);
  if (listed.length === 0) return 'BestEffort';
  return all.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function isGuaranteed(resources: JsonObject): boolean {
  const [requests, limits] = [new Map(amounts(resources, 'requests')), new Map(amounts(resources, 'limits'))];
  return counted.every((name) => {
    const limit = limits.get(name);
    const request = requests.get(name) ?? limit;
    return limit !== undefined && request !== undefined && isSameAmount(limit, request);
  });
}

/** Positive amounts of cpu and memory. */
function amounts(resources: JsonObject, part: 'requests' | 'limits'): readonly (readonly [name: string, amount: string])[] {
  const list = recordAt(resources, part);
  return counted.flatMap((name) => {
    const amount = list[name];
    return typeof amount === 'string' && signOfQuantity(parseQuantity(amount)) > 0 ? [[name, amount] as const] : [];
  });
}
