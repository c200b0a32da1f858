import { type FeatureGates, type Json, type JsonObject, objectsAt, recordAt } from '../../../meta/index.ts';
import { withMembers } from '../kind-row.ts';

/**
 * Merges match label keys into label selectors: each key becomes a requirement on the pod's own label value, so that schedulers need
 * not support the keys. Cf. upstream mutatePodAffinity, mutateTopologySpreadConstraints.
 */
export function withMergedLabelKeys(spec: JsonObject, labels: Readonly<Record<string, string>>, gates: FeatureGates): JsonObject {
  const changes: Record<string, Json> = {};
  if (spec['affinity'] !== undefined) {
    changes['affinity'] = changeMembers(recordAt(spec, 'affinity'), ['podAffinity', 'podAntiAffinity'], (affinity) =>
      mergeTerms(affinity, labels),
    );
  }
  const mergesSelectors =
    gates.enabled('MatchLabelKeysInPodTopologySpread') && gates.enabled('MatchLabelKeysInPodTopologySpreadSelectorMerge');
  const constraints = objectsAt(spec, 'topologySpreadConstraints');
  if (mergesSelectors && constraints.length > 0) {
    changes['topologySpreadConstraints'] = constraints.map((one) => mergeLabelKeys(one, labels));
  }
  return Object.keys(changes).length > 0 ? withMembers(spec, changes) : spec;
}

function changeMembers(object: JsonObject, names: readonly string[], change: (part: JsonObject) => JsonObject): JsonObject {
  const present = names.filter((name) => object[name] !== undefined);
  return withMembers(object, Object.fromEntries(present.map((name) => [name, change(recordAt(object, name))])));
}

function mergeTerms(affinity: JsonObject, labels: Readonly<Record<string, string>>): JsonObject {
  const [required, preferred] = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution'];
  const [firm, soft] = [objectsAt(affinity, required), objectsAt(affinity, preferred)];
  return withMembers(affinity, {
    ...(firm.length > 0 ? { [required]: firm.map((term) => mergeLabelKeys(term, labels)) } : {}),
    ...(soft.length > 0
      ? { [preferred]: soft.map((one) => withMembers(one, { podAffinityTerm: mergeLabelKeys(recordAt(one, 'podAffinityTerm'), labels) })) }
      : {}),
  });
}

/** A term without a selector matches nothing, so it gets no requirements. */
function mergeLabelKeys(term: JsonObject, labels: Readonly<Record<string, string>>): JsonObject {
  const requirements = [
    ...requirementsOf(term, 'matchLabelKeys', 'In', labels),
    ...requirementsOf(term, 'mismatchLabelKeys', 'NotIn', labels),
  ];
  if (requirements.length === 0 || term['labelSelector'] === undefined) return term;
  const selector = recordAt(term, 'labelSelector');
  const matchExpressions = [...objectsAt(selector, 'matchExpressions'), ...requirements];
  return withMembers(term, { labelSelector: withMembers(selector, { matchExpressions }) });
}

function requirementsOf(
  term: JsonObject,
  field: string,
  operator: string,
  labels: Readonly<Record<string, string>>,
): readonly JsonObject[] {
  const keys = term[field];
  return (Array.isArray(keys) ? keys : []).flatMap((key) => {
    const name = String(key);
    return Object.hasOwn(labels, name) ? [{ key: name, operator, values: [labels[name] ?? ''] }] : [];
  });
}
