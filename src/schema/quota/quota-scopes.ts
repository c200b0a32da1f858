import { type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';
import { computePodQosClass } from '../validation/index.ts';
import type { QuotaResource } from './quota-usage.ts';

interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether an object is in all scopes of a quota; only pods are in any scope. Cf. pkg/quota/v1/evaluator/core PodMatchesScopeFunc. */
export function matchesQuotaScopes(quotaSpec: JsonObject, { group, resource }: QuotaResource, object: JsonObject): boolean {
  const requirements = scopeRequirements(quotaSpec);
  if (requirements.length === 0) return true;
  if (group !== '' || resource !== 'pods') return false;
  return requirements.every((requirement) => matchesScope(recordAt(object, 'spec'), requirement));
}

function scopeRequirements(spec: JsonObject): readonly ScopeRequirement[] {
  const plain = textsAt(spec, 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists', values: [] }));
  const selected = objectsAt(recordAt(spec, 'scopeSelector'), 'matchExpressions').map((expression) => ({
    scopeName: textAt(expression, 'scopeName'),
    operator: textAt(expression, 'operator'),
    values: textsAt(expression, 'values'),
  }));
  return [...plain, ...selected];
}

function matchesScope(pod: JsonObject, { scopeName, operator, values }: ScopeRequirement): boolean {
  switch (scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return computePodQosClass(pod) === 'BestEffort';
    case 'NotBestEffort':
      return computePodQosClass(pod) !== 'BestEffort';
    case 'PriorityClass':
      return matchesPriorityClass(textAt(pod, 'priorityClassName'), operator, values);
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(pod);
    default:
      return false;
  }
}

function isTerminating({ activeDeadlineSeconds }: JsonObject): boolean {
  return typeof activeDeadlineSeconds === 'number' && activeDeadlineSeconds >= 0;
}

function matchesPriorityClass(name: string, operator: string, values: readonly string[]): boolean {
  if (operator === 'Exists') return name !== '';
  if (operator === 'DoesNotExist') return name === '';
  return operator === 'In' ? values.includes(name) : !values.includes(name);
}

function usesOtherNamespaces(pod: JsonObject): boolean {
  const affinity = recordAt(pod, 'affinity');
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const rules = recordAt(affinity, kind);
    const preferred = objectsAt(rules, 'preferredDuringSchedulingIgnoredDuringExecution').map((term) => recordAt(term, 'podAffinityTerm'));
    return [...objectsAt(rules, 'requiredDuringSchedulingIgnoredDuringExecution'), ...preferred];
  });
  return terms.some(
    ({ namespaces, namespaceSelector }) => (Array.isArray(namespaces) && namespaces.length > 0) || namespaceSelector !== undefined,
  );
}
