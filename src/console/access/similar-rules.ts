import { msg, str } from '@lit/localize';
import { bindingsOfUser, bindingText, type Rbac, type ResourceAttributes, type Rule, roleOf, ruleAllows, type UserInfo } from './rbac.ts';

/** A rule that allows a similar request, and its missing parts. */
export interface SimilarRule {
  readonly rule: Rule;
  readonly role: string;
  readonly binding: string;
  readonly missing: readonly string[];
}

const shownMax = 3;

/** Finds the user's rules with the fewest missing parts. */
export function findSimilarRules(rbac: Rbac, user: UserInfo, attributes: ResourceAttributes): readonly SimilarRule[] {
  const near = bindingsOfUser(rbac, user).flatMap((binding): SimilarRule[] => {
    const role = roleOf(rbac.roles, binding);
    if (role === undefined) return [];
    const isElsewhere = binding.namespace !== '' && binding.namespace !== attributes.namespace;
    return role.rules.map((rule) => ({
      rule,
      role: role.name,
      binding: bindingText(binding),
      missing: [...missingParts(rule, attributes), ...(isElsewhere ? [namespaceText(attributes)] : [])],
    }));
  });
  return near
    .filter(({ missing, rule }) => missing.length > 0 && missing.length < 3 && isRelated(rule, attributes))
    .sort((a, b) => a.missing.length - b.missing.length)
    .slice(0, shownMax);
}

const any: Rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] };

/** Whether a rule has the verb or the resource of the request. Other rules are not similar. */
function isRelated({ verbs, apiGroups, resources }: Rule, attributes: ResourceAttributes): boolean {
  return resources.length > 0 && (ruleAllows({ ...any, verbs }, attributes) || ruleAllows({ ...any, apiGroups, resources }, attributes));
}

function missingParts({ verbs, apiGroups, resources, resourceNames }: Rule, attributes: ResourceAttributes): string[] {
  const { verb, resource, name } = attributes;
  const missing: string[] = [];
  if (!ruleAllows({ ...any, verbs }, attributes)) missing.push(msg(str`the verb ${verb}`));
  if (!ruleAllows({ ...any, apiGroups, resources }, attributes)) missing.push(msg(str`the resource ${resource}`));
  if (!ruleAllows({ ...any, resourceNames }, attributes))
    missing.push(name === '' ? msg('access to all names') : msg(str`the name ${name}`));
  return missing;
}

function namespaceText({ namespace }: ResourceAttributes): string {
  return namespace === '' ? msg('access to all namespaces') : msg(str`the namespace ${namespace}`);
}

/** The kubectl commands that would grant the access. They are only shown. */
export function grantCommands({ user }: UserInfo, { verb, group, resource, subresource, namespace, name }: ResourceAttributes): string {
  const id = `${verb}-${resource}`;
  const resourceArg = `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
  const only = name === '' ? '' : ` --resource-name=${name}`;
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user);
  const subject = account === null ? `--user=${user}` : `--serviceaccount=${account[1]}:${account[2]}`;
  const kind = namespace === '' ? 'clusterrole' : 'role';
  const within = namespace === '' ? '' : ` -n ${namespace}`;
  return [
    `kubectl create ${kind} ${id} --verb=${verb} --resource=${resourceArg}${only}${within}`,
    `kubectl create ${kind}binding ${id} --${kind}=${id} ${subject}${within}`,
  ].join(' && ');
}
