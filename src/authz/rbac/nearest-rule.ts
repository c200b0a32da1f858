import type { Attributes } from '../attributes.ts';
import type { PolicyRule, RoleBinding, RoleSource } from './policy.ts';
import { grantedRules } from './role-rules.ts';
import { ruleAllows } from './rules.ts';

export interface NearestRule {
  readonly binding: RoleBinding;
  readonly rule: PolicyRule;
  /** `not delete`, `not secrets`: the missing parts. */
  readonly lacks: string;
}

/** The rule that lacks least for a denied request, for the trace; undefined when none is near. */
export function findNearestRule(source: RoleSource, bindings: readonly RoleBinding[], attributes: Attributes): NearestRule | undefined {
  let best: (NearestRule & { readonly distance: number }) | undefined;
  for (const binding of bindings) {
    for (const rule of grantedRules(source, binding) ?? []) {
      const missing = missingParts(rule, attributes);
      if (missing && (!best || missing.length < best.distance)) {
        best = { binding, rule, lacks: missing.map((part) => `not ${part}`).join(', '), distance: missing.length };
      }
    }
  }
  return best;
}

const shownRoles = 3;

/** Existing roles that would allow the request if bound, those with the fewest rules first. */
export function findSufficientRoles(source: RoleSource, attributes: Attributes): readonly string[] {
  const rolesOf = (kind: string, namespace: string) =>
    Array.from(source.rolesIn(namespace), ([name, rules]) => ({ role: `${kind} ${JSON.stringify(name)}`, rules }));
  const all = [...(attributes.namespace === '' ? [] : rolesOf('Role', attributes.namespace)), ...rolesOf('ClusterRole', '')];
  return all
    .filter(({ rules }) => rules.some((rule) => ruleAllows(rule, attributes)))
    .sort((a, b) => a.rules.length - b.rules.length)
    .slice(0, shownRoles)
    .map(({ role }) => role);
}

/** The parts that the rule lacks; undefined when it is unrelated. */
function missingParts(rule: PolicyRule, attributes: Attributes): readonly string[] | undefined {
  const { isResourceRequest, verb, group, resource, subresource, name, path } = attributes;
  if (!isResourceRequest) return allowsIf({ verbs: ['*'] }) ? [verb] : undefined;
  if (rule.nonResourceURLs.length > 0) return undefined;
  const qualifiedResource = subresource === '' ? resource : `${resource}/${subresource}`;
  const resourceMatches = allowsIf({ verbs: ['*'], apiGroups: ['*'], resourceNames: [] });
  // A rule for the resource is near a request for its subresource.
  if (!resourceMatches && !rule.resources.includes(resource)) return undefined;
  return [
    ...(allowsIf({ apiGroups: ['*'], resources: ['*'], resourceNames: [] }) ? [] : [verb]),
    ...(allowsIf({ verbs: ['*'], resources: ['*'], resourceNames: [] }) ? [] : [`group ${group === '' ? 'core' : group}`]),
    ...(resourceMatches ? [] : [qualifiedResource]),
    ...(allowsIf({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }) ? [] : [name === '' ? 'without a name' : `named ${name}`]),
  ];

  function allowsIf(widened: Partial<PolicyRule>): boolean {
    return ruleAllows({ ...rule, ...widened }, { ...attributes, path });
  }
}
