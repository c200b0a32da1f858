import type { JsonObject } from '../../meta/index.ts';
import type { corev1 } from '../api/index.ts';
import type { Decoded } from '../validation/decoded.ts';
import { computePodQosClass } from '../validation/index.ts';
import type { QuotaResource } from './quota-usage.ts';

type QuotaSpec = Decoded<corev1.ResourceQuotaSpec>;

/** A scope, with the names that an object must have for it. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether an object is in all scopes of a quota. */
export function matchesQuotaScopes(quotaSpec: QuotaSpec, resource: QuotaResource, object: JsonObject): boolean {
  return scopeRequirements(quotaSpec).every((requirement) => matchesScope(resource, object, requirement));
}

/** Whether an object is in a scope; only pods and claims are in any. Cf. pkg/quota/v1/evaluator/core podMatchesScopeFunc, pvcMatchesScopeFunc. */
export function matchesScope({ group, resource }: QuotaResource, object: JsonObject, requirement: ScopeRequirement): boolean {
  if (group !== '') return false;
  if (resource === 'pods') return matchesPodScope(object, requirement);
  const isClassScope = resource === 'persistentvolumeclaims' && requirement.scopeName === 'VolumeAttributesClass';
  return isClassScope && matchesNames(attributesClassesOf(object), requirement);
}

/** The scopes of a quota. Cf. getScopeSelectorsFromQuota. */
export function scopeRequirements({ scopes = [], scopeSelector }: QuotaSpec): readonly ScopeRequirement[] {
  const plain = scopes.map((scopeName) => ({ scopeName, operator: 'Exists', values: [] }));
  const selected = (scopeSelector?.matchExpressions ?? []).map(({ scopeName = '', operator = '', values = [] }) => ({
    scopeName,
    operator,
    values,
  }));
  return [...plain, ...selected];
}

function matchesPodScope({ spec = {} }: Decoded<corev1.Pod>, requirement: ScopeRequirement): boolean {
  switch (requirement.scopeName) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return computePodQosClass(spec) === 'BestEffort';
    case 'NotBestEffort':
      return computePodQosClass(spec) !== 'BestEffort';
    case 'PriorityClass':
      return matchesNames(spec.priorityClassName ? [spec.priorityClassName] : [], requirement);
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(spec);
    default:
      return false;
  }
}

/** The attributes classes that a claim has, requests, or is changed to. Cf. getReferencedVolumeAttributesClassNames. */
function attributesClassesOf({ spec, status }: Decoded<corev1.PersistentVolumeClaim>): readonly string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return names.flatMap((name) => (name ? [name] : []));
}

export function isTerminating({ activeDeadlineSeconds }: Decoded<corev1.PodSpec>): boolean {
  return activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0;
}

/** One of the names has to match. Without a name, an object matches like one without a label. */
function matchesNames(names: readonly string[], { operator, values }: ScopeRequirement): boolean {
  if (operator === 'Exists') return names.length > 0;
  if (operator === 'DoesNotExist') return names.length === 0;
  if (operator === 'In') return names.some((name) => values.includes(name));
  return names.length === 0 || names.some((name) => !values.includes(name));
}

function usesOtherNamespaces({ affinity }: Decoded<corev1.PodSpec>): boolean {
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((rules) => {
    const preferred = (rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm ?? {});
    return [...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []), ...preferred];
  });
  return terms.some(({ namespaces, namespaceSelector }) => namespaces?.length || namespaceSelector);
}
