import type { corev1 } from '../schema/api/index.ts';
import { type Decoded, isPodLevelResource } from '../schema/index.ts';

/** Amounts that every container must specify where a quota limits them. */
const enforced = (['requests', 'limits'] as const).flatMap((part) => ['cpu', 'memory'].map((name) => ({ part, name })));

/**
 * What the containers of a pod have to specify for a quota with these names; undefined when nothing is missing.
 * Cf. pkg/quota/v1/evaluator/core podEvaluator.Constraints.
 */
export function missingAmounts({ spec = {} }: Decoded<corev1.Pod>, names: readonly string[]): string | undefined {
  const ofPod = [...Object.keys(spec.resources?.requests ?? {}), ...Object.keys(spec.resources?.limits ?? {})];
  if (ofPod.some(isPodLevelResource)) return undefined;
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const missing = enforced.flatMap(({ part, name }) => {
    // `cpu` is another name of `requests.cpu`.
    const wanted = names.filter((one) => one === `${part}.${name}` || (part === 'requests' && one === name));
    const lacking = containers.filter(({ resources }) => resources?.[part]?.[name] === undefined);
    const containersText = [...new Set(lacking.map((container) => container.name ?? ''))].sort().join(',');
    return lacking.length === 0 ? [] : wanted.map((one) => `${one} for: ${containersText}`);
  });
  return missing.length === 0 ? undefined : `must specify ${missing.sort().join('; ')}`;
}
