import { type FieldError, fieldErrorTexts, invalid, isDns1123Subdomain, notListed, required } from '../meta/index.ts';
import type { auditv1 } from '../schema/api/index.ts';
import type { Decoded } from '../schema/index.ts';
import {
  type AuditLevel,
  type AuditPolicy,
  type AuditRule,
  type AuditStage,
  auditLevels,
  auditStages,
  type GroupResources,
} from './policy.ts';

/** An invalid policy; the message is upstream's. */
export class AuditPolicyError extends Error {
  override readonly name = 'AuditPolicyError';
}

type PolicyRule = Decoded<auditv1.PolicyRule>;

/** The policy of a decoded document. Cf. upstream apis/audit/validation ValidatePolicy. @throws AuditPolicyError */
export function readAuditPolicy({ rules, omitStages = [], omitManagedFields = false }: Decoded<auditv1.Policy>): AuditPolicy {
  const given = rules ?? [];
  const errors = [...stageErrors(omitStages, 'omitStages'), ...given.flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`))];
  const unique = [...new Set(fieldErrorTexts(errors))];
  if (unique.length > 0) throw new AuditPolicyError(unique.length === 1 ? unique.join('') : `[${unique.join(', ')}]`);
  if (given.length === 0) throw new AuditPolicyError('loaded illegal policy with 0 rules');
  return { rules: given.map(ruleOf), omitStages: omitStages as readonly AuditStage[], omitManagedFields };
}

function ruleOf(rule: PolicyRule): AuditRule {
  const { users = [], userGroups = [], verbs = [], resources = [], namespaces = [], nonResourceURLs = [], omitStages = [] } = rule;
  return {
    level: rule.level as AuditLevel,
    users,
    userGroups,
    verbs,
    resources: resources.map(
      (one): GroupResources => ({ group: one.group ?? '', resources: one.resources ?? [], names: one.resourceNames ?? [] }),
    ),
    namespaces,
    nonResourceUrls: nonResourceURLs,
    omitStages: omitStages as readonly AuditStage[],
    omitManagedFields: rule.omitManagedFields,
  };
}

function ruleErrors(rule: PolicyRule, path: string): readonly FieldError[] {
  const { level = '', resources = [], namespaces = [], nonResourceURLs: urls = [], omitStages = [] } = rule;
  const isBoth = urls.length > 0 && resources.length + namespaces.length > 0;
  const both = 'rules cannot apply to both regular resources and non-resource URLs';
  return [
    ...levelErrors(level, `${path}.level`),
    ...urls.flatMap((url, index) => urlErrors(url, `${path}.nonResourceURLs[${index}]`)),
    ...resources.flatMap((one) => resourceErrors(one, `${path}.resources`)),
    ...stageErrors(omitStages, `${path}.omitStages`),
    ...(isBoth ? [invalid(`${path}.nonResourceURLs`, urls, both)] : []),
  ];
}

function levelErrors(level: string, path: string): readonly FieldError[] {
  if (level === '') return [required(path, '')];
  return auditLevels.some((known) => known === level) ? [] : [notListed(path, level, auditLevels)];
}

function urlErrors(url: string, path: string): readonly FieldError[] {
  if (url === '*') return [];
  return [
    ...(url.startsWith('/') ? [] : [invalid(path, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes('*')
      ? [invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

/** Upstream reports errors of all entries under one path. */
function resourceErrors(
  { group = '', resources = [], resourceNames: names = [] }: Decoded<auditv1.GroupResources>,
  path: string,
): readonly FieldError[] {
  const problems = group === '' ? [] : isDns1123Subdomain(group);
  const lacksResources = names.length > 0 && resources.length === 0;
  return [
    ...(problems.length > 0 ? [invalid(`${path}.group`, group, problems.join(','))] : []),
    ...(lacksResources ? [invalid(`${path}.resourceNames`, names, 'using resourceNames requires at least one resource')] : []),
  ];
}

function stageErrors(stages: readonly string[], path: string): readonly FieldError[] {
  return stages.flatMap((stage, index) =>
    auditStages.some((known) => known === stage)
      ? []
      : [invalid(`${path}[${index}]`, stage, `allowed stages are ${auditStages.join(',')}`)],
  );
}
