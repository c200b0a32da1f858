import {
  type FieldError,
  fieldErrorTexts,
  invalid,
  isDns1123Subdomain,
  isJsonObject,
  type JsonObject,
  notListed,
  required,
  textAt,
} from '../meta/index.ts';
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

/** The policy of a decoded document. Cf. upstream apis/audit/validation ValidatePolicy. @throws AuditPolicyError */
export function readAuditPolicy(document: JsonObject): AuditPolicy {
  const rules = objectsAt(document, 'rules');
  const errors = [
    ...stageErrors(textsAt(document, 'omitStages'), 'omitStages'),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`)),
  ];
  const unique = [...new Set(fieldErrorTexts(errors))];
  if (unique.length > 0) throw new AuditPolicyError(unique.length === 1 ? unique.join('') : `[${unique.join(', ')}]`);
  if (rules.length === 0) throw new AuditPolicyError('loaded illegal policy with 0 rules');
  return {
    rules: rules.map(ruleOf),
    omitStages: textsAt(document, 'omitStages') as readonly AuditStage[],
    omitManagedFields: document['omitManagedFields'] === true,
  };
}

function ruleOf(rule: JsonObject): AuditRule {
  const omit = rule['omitManagedFields'];
  return {
    level: textAt(rule, 'level') as AuditLevel,
    users: textsAt(rule, 'users'),
    userGroups: textsAt(rule, 'userGroups'),
    verbs: textsAt(rule, 'verbs'),
    resources: objectsAt(rule, 'resources').map(
      (one): GroupResources => ({
        group: textAt(one, 'group'),
        resources: textsAt(one, 'resources'),
        names: textsAt(one, 'resourceNames'),
      }),
    ),
    namespaces: textsAt(rule, 'namespaces'),
    nonResourceUrls: textsAt(rule, 'nonResourceURLs'),
    omitStages: textsAt(rule, 'omitStages') as readonly AuditStage[],
    omitManagedFields: typeof omit === 'boolean' ? omit : undefined,
  };
}

function ruleErrors(rule: JsonObject, path: string): readonly FieldError[] {
  const urls = textsAt(rule, 'nonResourceURLs');
  const resources = objectsAt(rule, 'resources');
  const isBoth = urls.length > 0 && (resources.length > 0 || textsAt(rule, 'namespaces').length > 0);
  const both = 'rules cannot apply to both regular resources and non-resource URLs';
  return [
    ...levelErrors(textAt(rule, 'level'), `${path}.level`),
    ...urls.flatMap((url, index) => urlErrors(url, `${path}.nonResourceURLs[${index}]`)),
    ...resources.flatMap((one) => resourceErrors(one, `${path}.resources`)),
    ...stageErrors(textsAt(rule, 'omitStages'), `${path}.omitStages`),
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
function resourceErrors(one: JsonObject, path: string): readonly FieldError[] {
  const group = textAt(one, 'group');
  const names = textsAt(one, 'resourceNames');
  const problems = group === '' ? [] : isDns1123Subdomain(group);
  const lacksResources = names.length > 0 && textsAt(one, 'resources').length === 0;
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

function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.map((item) => (isJsonObject(item) ? item : {})) : [];
}

function textsAt(object: JsonObject, name: string): readonly string[] {
  const value = object[name];
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? item : '')) : [];
}
