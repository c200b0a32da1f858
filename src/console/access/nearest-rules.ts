import { msg, str } from '@lit/localize';
import { bindingsOf, bindingText, type Rbac, type ResourceAttributes, type Rule, roleOf, ruleAllows, type UserInfo } from './rbac.ts';

/** A rule that nearly allows, and what it lacks. */
export interface NearRule {
  readonly rule: Rule;
  readonly role: string;
  readonly binding: string;
  readonly lacks: readonly string[];
}

const shownMax = 3;

/** Of the rules that somebody has anywhere, those that come nearest to allowing. */
export function nearestRules(rbac: Rbac, user: UserInfo, attributes: ResourceAttributes): readonly NearRule[] {
  const near = bindingsOf(rbac, user).flatMap((binding): NearRule[] => {
    const role = roleOf(rbac.roles, binding);
    if (role === undefined) return [];
    const isElsewhere = binding.namespace !== '' && binding.namespace !== attributes.namespace;
    return role.rules.map((rule) => ({
      rule,
      role: role.name,
      binding: bindingText(binding),
      lacks: [...missingParts(rule, attributes), ...(isElsewhere ? [namespaceText(attributes)] : [])],
    }));
  });
  return near
    .filter(({ lacks, rule }) => lacks.length > 0 && lacks.length < 3 && isRelated(rule, attributes))
    .sort((a, b) => a.lacks.length - b.lacks.length)
    .slice(0, shownMax);
}

const any: Rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] };

/** Whether a rule speaks of the verb or of the resource at all: another one is not near, whatever else it allows. */
function isRelated({ verbs, apiGroups, resources }: Rule, attributes: ResourceAttributes): boolean {
  return resources.length > 0 && (ruleAllows({ ...any, verbs }, attributes) || ruleAllows({ ...any, apiGroups, resources }, attributes));
}

function missingParts({ verbs, apiGroups, resources, resourceNames }: Rule, attributes: ResourceAttributes): string[] {
  const { verb, resource, name } = attributes;
  const lacks: string[] = [];
  if (!ruleAllows({ ...any, verbs }, attributes)) lacks.push(msg(str`the verb ${verb}`));
  if (!ruleAllows({ ...any, apiGroups, resources }, attributes)) lacks.push(msg(str`the resource ${resource}`));
  if (!ruleAllows({ ...any, resourceNames }, attributes)) lacks.push(name === '' ? msg('access to all names') : msg(str`the name ${name}`));
  return lacks;
}

function namespaceText({ namespace }: ResourceAttributes): string {
  return namespace === '' ? msg('access to all namespaces') : msg(str`the namespace ${namespace}`);
}

/** What would allow it, as commands; never run by themselves. */
export function fixCommands({ user }: UserInfo, { verb, group, resource, subresource, namespace, name }: ResourceAttributes): string {
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
