import type { Attributes } from '../attributes.ts';
import type { PolicyRule } from './policy.ts';

/** Whether a rule allows a request. Cf. upstream plugin/pkg/auth/authorizer/rbac RuleAllows. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  const { isResourceRequest, verb, path } = attributes;
  if (!hasOrAll(rule.verbs, verb)) return false;
  return isResourceRequest ? coversResource(rule, attributes) : rule.nonResourceURLs.some((url) => url === path || coversPath(url, path));
}

function coversResource(rule: PolicyRule, { group, resource, subresource, name }: Attributes): boolean {
  if (!hasOrAll(rule.apiGroups, group)) return false;
  const qualifiedResource = subresource === '' ? resource : `${resource}/${subresource}`;
  const named = hasOrAll(rule.resources, qualifiedResource) || (subresource !== '' && rule.resources.includes(`*/${subresource}`));
  return named && (rule.resourceNames.length === 0 || rule.resourceNames.includes(name));
}

/** A single pass for entry and star: this runs for every rule of every binding. */
function hasOrAll(list: readonly string[], one: string): boolean {
  for (const entry of list) if (entry === one || entry === '*') return true;
  return false;
}

/** `/healthz/*` matches all paths below; so does a single `*`. */
export function coversPath(url: string, path: string): boolean {
  return url.endsWith('*') && path.startsWith(url.replace(/(?<!\*)\*+$/, ''));
}

/** `get,list pods in group ""`: a rule for the trace. */
export function describeRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  if (nonResourceURLs.length > 0) return `${verbs.join(',')} ${nonResourceURLs.join(',')}`;
  const groups = apiGroups.map((group) => (group === '' ? 'core' : group)).join(',');
  const names = resourceNames.length === 0 ? '' : ` named ${resourceNames.join(',')}`;
  return `${verbs.join(',')} ${groups}/${resources.join(',')}${names}`;
}
