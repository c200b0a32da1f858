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
  const requests = amountsOf(spec?.resources?.requests);
  return limits
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((limit) => [
      ...violationsOfEach(limit, 'min', (name, enforced) =>
        minViolation(name, 'PersistentVolumeClaim', enforced, requests.get(name), undefined),
      ),
      ...violationsOfEach(limit, 'max', (name, enforced) => {
        const usage = `maximum ${name} usage per PersistentVolumeClaim is ${formatQuantity(enforced)}`;
        const request = requests.get(name);
        if (!request) return `${usage}.  No request is specified`;
        return compareQuantities(request, enforced) > 0 ? `${usage}, but request is ${formatQuantity(request)}` : undefined;
      }),
    ]);
}

function limitViolations(limit: Limit, requests: Amounts, most: Amounts): readonly string[] {
  const { type = '' } = limit;
  return [
    ...violationsOfEach(limit, 'min', (name, enforced) => minViolation(name, type, enforced, requests.get(name), most.get(name))),
    ...violationsOfEach(limit, 'max', (name, enforced) => maxViolation(name, type, enforced, requests.get(name), most.get(name))),
    ...violationsOfEach(limit, 'maxLimitRequestRatio', (name, enforced) =>
      ratioViolation(name, type, enforced, requests.get(name), most.get(name)),
    ),
  ];
}

function violationsOfEach(
  limit: Limit,
  part: 'min' | 'max' | 'maxLimitRequestRatio',
  check: (name: string, enforced: Quantity) => string | undefined,
): readonly string[] {
  return [...amountsOf(limit[part])].flatMap(([name, enforced]) => check(name, enforced) ?? []);
}

function minViolation(
  name: string,
  type: string,
  enforced: Quantity,
  request: Quantity | undefined,
  most: Quantity | undefined,
): string | undefined {
  const usage = `minimum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (!request) return `${usage}.  No request is specified`;
  if (compareQuantities(request, enforced) < 0) return `${usage}, but request is ${formatQuantity(request)}`;
  return most && compareQuantities(most, enforced) < 0 ? `${usage}, but limit is ${formatQuantity(most)}` : undefined;
}

function maxViolation(
  name: string,
  type: string,
  enforced: Quantity,
  request: Quantity | undefined,
  most: Quantity | undefined,
): string | undefined {
  const usage = `maximum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (!most) return `${usage}.  No limit is specified`;
  if (compareQuantities(most, enforced) > 0) return `${usage}, but limit is ${formatQuantity(most)}`;
  return request && compareQuantities(request, enforced) > 0 ? `${usage}, but request is ${formatQuantity(request)}` : undefined;
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
