import { addQuantities, compareQuantities, formatQuantity, type JsonObject, parseQuantity } from '../meta/index.ts';
import type { corev1 } from './api/index.ts';
import type { Decoded } from './validation/decoded.ts';

export type ResourcePart = 'limits' | 'requests';

/** Resources that pods specify besides their containers. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/** Sum of the resources of all containers, by default of those specified: init containers run one after another, sidecars for the whole pod. */
export function sumPodResources(
  { containers, initContainers = [] }: Decoded<corev1.PodSpec>,
  part: ResourcePart,
  amountsOf: (container: Decoded<corev1.Container>) => JsonObject = ({ resources }) => resources?.[part] ?? {},
): JsonObject {
  let running: JsonObject = (containers ?? []).map(amountsOf).reduce(addAmounts, {});
  let sidecars: JsonObject = {};
  let starting: JsonObject = {};
  for (const container of initContainers) {
    const amounts = amountsOf(container);
    if (container.restartPolicy === 'Always') {
      running = addAmounts(running, amounts);
      sidecars = addAmounts(sidecars, amounts);
      starting = maxAmounts(starting, sidecars);
    } else starting = maxAmounts(starting, addAmounts(sidecars, amounts));
  }
  return maxAmounts(running, starting);
}

function addAmounts(a: JsonObject, b: JsonObject): JsonObject {
  return combineAmounts(a, b, (left, right) => formatQuantity(addQuantities(parseQuantity(left), parseQuantity(right))));
}

/** The larger amount of each resource. */
export function maxAmounts(a: JsonObject, b: JsonObject): JsonObject {
  return combineAmounts(a, b, (left, right) => (compareQuantities(parseQuantity(left), parseQuantity(right)) < 0 ? right : left));
}

function combineAmounts(a: JsonObject, b: JsonObject, both: (left: string, right: string) => string): JsonObject {
  const result = new Map(Object.entries(a));
  for (const [name, right] of Object.entries(b)) {
    const left = result.get(name);
    result.set(name, typeof left === 'string' && typeof right === 'string' ? both(left, right) : right);
  }
  return Object.fromEntries(result);
}
