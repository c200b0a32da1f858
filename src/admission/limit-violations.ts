import { compareQuantities, formatQuantity, parseQuantity, type Quantity } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import { type Decoded, isPodLevelResource, sumPodResources } from '../schema/index.ts';

type Limit = Decoded<corev1.LimitRangeItem>;
type Amounts = ReadonlyMap<string, Quantity>;

/** Limits that the pod violates. Upstream PodValidateLimitFunc. */
export function podViolations(pod: Decoded<corev1.Pod>, limits: readonly Limit[]): readonly string[] {
  const { containers: own, initContainers = [] } = pod.spec ?? {};
  const containers = [...(own ?? []), ...initContainers];
  return limits.flatMap((limit): readonly string[] => {
    if (limit.type === 'Container')
      return containers.flatMap(({ resources }) => limitViolations(limit, amountsOf(resources?.requests), amountsOf(resources?.limits)));
    if (limit.type === 'Pod') return limitViolations(limit, podTotal(pod, 'requests'), podTotal(pod, 'limits'));
    return [];
  });
}

/** Limits that the claim violates. Upstream PersistentVolumeClaimValidateLimitFunc. */
export function claimViolations({ spec }: Decoded<corev1.PersistentVolumeClaim>, limits: readonly Limit[]): readonly string[] {
  const request = amountsOf(spec?.resources?.requests);
  return limits
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((limit) => [...boundViolations(limit, 'min', { request }), ...boundViolations(limit, 'max', { request })]);
}

function limitViolations(limit: Limit, requests: Amounts, most: Amounts): readonly string[] {
  return [
    ...boundViolations(limit, 'min', { request: requests, limit: most }),
    ...boundViolations(limit, 'max', { limit: most, request: requests }),
    ...[...amountsOf(limit.maxLimitRequestRatio)].flatMap(
      ([name, enforced]) => ratioViolation(name, limit.type ?? '', enforced, requests.get(name), most.get(name)) ?? [],
    ),
  ];
}

/** The first of `amounts` must be specified. */
function boundViolations(limit: Limit, bound: 'min' | 'max', amounts: Readonly<Record<string, Amounts>>): readonly string[] {
  return [...amountsOf(limit[bound])].flatMap(([name, enforced]) => {
    const usage = `${bound}imum ${name} usage per ${limit.type ?? ''} is ${formatQuantity(enforced)}`;
    for (const [index, [what, list]] of Object.entries(amounts).entries()) {
      const amount = list.get(name);
      if (!amount && index === 0) return [`${usage}.  No ${what} is specified`];
      const order = amount ? compareQuantities(amount, enforced) : 0;
      if (amount && (bound === 'min' ? order < 0 : order > 0)) return [`${usage}, but ${what} is ${formatQuantity(amount)}`];
    }
    return [];
  });
}

function ratioViolation(
  name: string,
  type: string,
  enforced: Quantity,
  request: Quantity | undefined,
  most: Quantity | undefined,
): string | undefined {
  const usage = `${name} max limit to request ratio per ${type} is ${formatQuantity(enforced)}`;
  const [requested, limit] = [request ? amount(request) : 0, most ? amount(most) : 0];
  if (requested === 0) return `${usage}, but no request is specified or request is 0`;
  if (limit === 0) return `${usage}, but no limit is specified or limit is 0`;
  return limit / requested > amount(enforced) ? `${usage}, but provided ratio is ${(limit / requested).toFixed(6)}` : undefined;
}

/** A number, precise enough for a ratio. */
function amount({ unscaled, exponent }: Quantity): number {
  return Number(unscaled) * 10 ** exponent;
}

function amountsOf(list: Readonly<Record<string, string | undefined>> = {}): Amounts {
  return new Map(Object.entries(list).flatMap(([name, value]) => (value === undefined ? [] : [[name, parseQuantity(value)] as const])));
}

/** The amounts of the containers; those of the pod as a whole override them. Cf. upstream limitranger podRequests, podLimits. */
function podTotal({ spec = {} }: Decoded<corev1.Pod>, part: 'requests' | 'limits'): Amounts {
  const ofPod = Object.entries(spec.resources?.[part] ?? {}).filter(([name]) => isPodLevelResource(name));
  return amountsOf({ ...sumPodResources(spec, part), ...Object.fromEntries(ofPod) } as Readonly<Record<string, string>>);
}
