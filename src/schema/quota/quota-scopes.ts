import type { JsonObject } from '../../meta/index.ts';
import type { corev1 } from '../api/index.ts';
import type { Decoded } from '../validation/decoded.ts';
import { computePodQosClass } from '../validation/index.ts';
import type { QuotaResource } from './quota-usage.ts';

type QuotaSpec = Decoded<corev1.ResourceQuotaSpec>;

interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether an object is in all scopes of a quota; only pods are in any scope. Cf. pkg/quota/v1/evaluator/core PodMatchesScopeFunc. */
export function matchesQuotaScopes(quotaSpec: QuotaSpec, { group, resource }: QuotaResource, object: JsonObject): boolean {
  const requirements = scopeRequirements(quotaSpec);
  if (requirements.length === 0) return true;
  if (group !== '' || resource !== 'pods') return false;
  return requirements.every((requirement) => matchesScope(object, requirement));
}

function scopeRequirements({ scopes = [], scopeSelector }: QuotaSpec): readonly ScopeRequirement[] {
  const plain = scopes.map((scopeName) => ({ scopeName, operator: 'Exists', values: [] }));
  const selected = (scopeSelector?.matchExpressions ?? []).map(({ scopeName = '', operator = '', values = [] }) => ({
    scopeName,
    operator,
    values,
  }));
  return [...plain, ...selected];
}

function matchesScope({ spec = {} }: Decoded<corev1.Pod>, { scopeName, operator, values }: ScopeRequirement): boolean {
  switch (scopeName) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return computePodQosClass(spec) === 'BestEffort';
    case 'NotBestEffort':
      return computePodQosClass(spec) !== 'BestEffort';
    case 'PriorityClass':
      return matchesPriorityClass(spec.priorityClassName ?? '', operator, values);
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(spec);
    default:
      return false;
  }
}

function isTerminating({ activeDeadlineSeconds }: Decoded<corev1.PodSpec>): boolean {
  return activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0;
}

function matchesPriorityClass(name: string, operator: string, values: readonly string[]): boolean {
  if (operator === 'Exists') return name !== '';
  if (operator === 'DoesNotExist') return name === '';
  return operator === 'In' ? values.includes(name) : !values.includes(name);
}

function usesOtherNamespaces({ affinity }: Decoded<corev1.PodSpec>): boolean {
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((rules) => {
    const preferred = (rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm ?? {});
    return [...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []), ...preferred];
  });
  return terms.some(({ namespaces, namespaceSelector }) => namespaces?.length || namespaceSelector);
}
