import type { FeatureGates, Json, JsonObject } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { withMembers } from '../kind-row.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Merges match label keys into label selectors: each key becomes a requirement on the pod's own label value, so that schedulers need
 * not support the keys. Cf. upstream mutatePodAffinity, mutateTopologySpreadConstraints.
 */
export function withMergedLabelKeys(spec: Decoded<corev1.PodSpec>, labels: Labels, gates: FeatureGates): JsonObject {
  const { affinity, topologySpreadConstraints: constraints = [] } = spec;
  const changes: Record<string, Json> = {};
  if (affinity) {
    const { podAffinity, podAntiAffinity } = affinity;
    changes['affinity'] = withMembers(affinity, {
      ...(podAffinity && { podAffinity: mergeTerms(podAffinity, labels) }),
      ...(podAntiAffinity && { podAntiAffinity: mergeTerms(podAntiAffinity, labels) }),
    });
  }
  const mergesSelectors =
    gates.enabled('MatchLabelKeysInPodTopologySpread') && gates.enabled('MatchLabelKeysInPodTopologySpreadSelectorMerge');
  if (mergesSelectors && constraints.length > 0) {
    changes['topologySpreadConstraints'] = constraints.map((one) => mergeLabelKeys(one, labels));
  }
  return Object.keys(changes).length > 0 ? withMembers(spec, changes) : spec;
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function mergeTerms(affinity: Decoded<corev1.PodAffinity>, labels: Labels): JsonObject {
  const { [required]: firm = [], [preferred]: soft = [] } = affinity;
  return withMembers(affinity, {
    ...(firm.length > 0 ? { [required]: firm.map((term) => mergeLabelKeys(term, labels)) } : {}),
    ...(soft.length > 0
      ? { [preferred]: soft.map((one) => withMembers(one, { podAffinityTerm: mergeLabelKeys(one.podAffinityTerm ?? {}, labels) })) }
      : {}),
  });
}

/** A term without a selector matches nothing, so it gets no requirements. */
function mergeLabelKeys(term: Decoded<corev1.PodAffinityTerm>, labels: Labels): JsonObject {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector: selector } = term;
  const requirements = [...requirementsOf(matchLabelKeys, 'In', labels), ...requirementsOf(mismatchLabelKeys, 'NotIn', labels)];
  if (requirements.length === 0 || !selector) return term;
  const matchExpressions = [...(selector.matchExpressions ?? []), ...requirements];
  return withMembers(term, { labelSelector: withMembers(selector, { matchExpressions }) });
}

function requirementsOf(keys: readonly string[], operator: string, labels: Labels): readonly JsonObject[] {
  return keys.flatMap((key) => (Object.hasOwn(labels, key) ? [{ key, operator, values: [labels[key] ?? ''] }] : []));
}
