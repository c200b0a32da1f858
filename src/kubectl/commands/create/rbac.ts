import type { JsonObject } from '../../../meta/index.ts';
import type { ApiResource } from '../../api/discovery.ts';
import { builtInResource } from '../../api/discovery.ts';
import { array, list, text } from '../../parse/flags.ts';
import { parseDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError, NoMatchError, PlainError } from '../../program/errors.ts';
import { buildObject, completeCreation, createAndPrint, generatorFlags } from './create-object.ts';

const rbacGroup = 'rbac.authorization.k8s.io';
const roles = builtInResource(`${rbacGroup}/v1`, 'roles', 'Role');
const clusterRoles = builtInResource(`${rbacGroup}/v1`, 'clusterroles', 'ClusterRole', false);
const roleBindings = builtInResource(`${rbacGroup}/v1`, 'rolebindings', 'RoleBinding');
const clusterRoleBindings = builtInResource(`${rbacGroup}/v1`, 'clusterrolebindings', 'ClusterRoleBinding', false);

const ruleFlags = {
  ...generatorFlags,
  resource: list(),
  'resource-name': array(),
  verb: list(),
};

const resourceVerbs = new Set([
  'get',
  'delete',
  'list',
  'create',
  'update',
  'patch',
  'watch',
  'proxy',
  'deletecollection',
  'use',
  'bind',
  'escalate',
  'impersonate',
  '*',
]);

export const role: Command = {
  flags: ruleFlags,
  async run(call) {
    const name = await completeCreation(call);
    const allowed = readVerbs(call);
    warnOfVerbs(call, allowed);
    const rules = await buildResourceRules(call, allowed);
    return createAndPrint(call, { resource: roles, object: buildObject(roles, { name }, { rules }) });
  },
};

export const clusterRole: Command = {
  flags: {
    ...ruleFlags,
    'aggregation-rule': { kind: 'map' },
    'non-resource-url': list(),
  },
  async run(call) {
    const name = await completeCreation(call);
    const { flags } = call;
    const urls = [...new Set(flags.list('non-resource-url'))];
    const labels = Object.fromEntries(flags.pairs('aggregation-rule').map(([key, value]) => [key.trim(), value.trim()]));
    if (Object.keys(labels).length > 0) {
      if (urls.length + flags.list('verb').length + flags.list('resource').length + flags.list('resource-name').length > 0) {
        throw new KubectlError('aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames');
      }
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
      return createAndPrint(call, {
        resource: clusterRoles,
        object: buildObject(clusterRoles, { name }, { rules: null, aggregationRule }),
      });
    }
    const hasResources = flags.list('resource').length > 0;
    const verbs = readVerbs(call);
    if (urls.length === 0 && !hasResources) throw new KubectlError('one of resource or nonResourceURL must be specified');
    if (hasResources) warnOfVerbs(call, verbs);
    const rules = hasResources ? await buildResourceRules(call, verbs) : [];
    if (urls.length > 0) rules.push({ verbs, nonResourceURLs: requireUrls(urls, verbs) });
    return createAndPrint(call, { resource: clusterRoles, object: buildObject(clusterRoles, { name }, { rules }) });
  },
};

const urlVerbs: ReadonlySet<string> = new Set(['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*']);

/** Checks a rule for paths, and returns them. @throws KubectlError */
function requireUrls(urls: readonly string[], verbs: readonly string[]): readonly string[] {
  const unknown = verbs.find((verb) => !urlVerbs.has(verb));
  if (unknown !== undefined) throw new KubectlError(`invalid verb: '${unknown}' for nonResourceURL`);
  for (const url of urls.filter((one) => one !== '*')) {
    if (!url.startsWith('/')) throw new KubectlError('nonResourceURL should start with /');
    if (url.slice(0, -1).includes('*')) throw new KubectlError("nonResourceURL only supports wildcard matches when '*' is at the end");
  }
  return urls;
}

/** Without duplicates; a wildcard covers the others. @throws KubectlError */
function readVerbs({ flags }: Call): readonly string[] {
  const all = [...new Set(flags.list('verb'))];
  if (all.length === 0) throw new KubectlError('at least one verb must be specified');
  return all.includes('*') ? ['*'] : all;
}

function warnOfVerbs({ err }: Call, all: readonly string[]): void {
  for (const verb of all) if (!resourceVerbs.has(verb)) err(`Warning: '${verb}' is not a standard resource verb\n`);
}

/** One rule for each API group. @throws KubectlError */
async function buildResourceRules(call: Call, allowed: readonly string[]): Promise<JsonObject[]> {
  const { flags } = call;
  if (flags.list('resource').length === 0) throw new KubectlError('at least one resource must be specified');
  const names = [...new Set(flags.list('resource-name'))];
  const byGroup = new Map<string, string[]>();
  // A wildcard covers the other resources.
  const wanted = flags.list('resource').includes('*') ? ['*'] : flags.list('resource');
  for (const typed of wanted) {
    const { group: of, resource } = await resolveRuleResource(call, typed, allowed);
    byGroup.set(of, [...new Set([...(byGroup.get(of) ?? []), resource])]);
  }
  return [...byGroup]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([of, resources]) => ({
      verbs: allowed,
      apiGroups: [of],
      resources,
      ...(names.length > 0 ? { resourceNames: names } : {}),
    }));
}

/** The only resources, some of them virtual, that these verbs apply to. */
const specialVerbs: Readonly<Record<string, readonly string[]>> = {
  use: ['podsecuritypolicies.policy', 'podsecuritypolicies.extensions'],
  bind: [`roles.${rbacGroup}`, `clusterroles.${rbacGroup}`],
  escalate: [`roles.${rbacGroup}`, `clusterroles.${rbacGroup}`],
  impersonate: ['users.', 'serviceaccounts.', 'groups.', 'userextras.authentication.k8s.io'],
};

async function resolveRuleResource(call: Call, typed: string, verbs: readonly string[]): Promise<{ group: string; resource: string }> {
  const [type = '', subresource = ''] = typed.split(/\/([\s\S]*)/, 2);
  const [name = '', ...groups] = type.split('.');
  const group = groups.join('.');
  if (name === '') throw new KubectlError('resource must be specified if apiGroup/subresource specified');
  const toRule = (of: string, resource: string): { group: string; resource: string } => ({
    group: of,
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
  });
  if (name === '*') return toRule(group, name);
  let found: { readonly name: string; readonly group: string } = { name, group };
  let failure: unknown;
  try {
    const mapped = await (await call.cluster()).resourceFor(type, 2);
    if (!mapped.group.startsWith(group)) throw new NoMatchError(type);
    found = mapped;
  } catch (error) {
    if (!(error instanceof NoMatchError)) throw error;
    const where = group === '' ? '' : ` in group ${JSON.stringify(group)}`;
    failure = new PlainError(`the server doesn't have a resource type ${JSON.stringify(name)}${where}`);
  }
  for (const verb of verbs) {
    const allowed = specialVerbs[verb];
    if (!allowed) continue;
    if (!allowed.some((one) => call.product.rename(one) === `${found.name}.${found.group}`))
      throw new KubectlError(`can not perform '${verb}' on '${found.name}' in group '${found.group}'`);
    failure = undefined;
  }
  if (failure !== undefined) throw failure;
  return toRule(found.group, found.name);
}

const subjectFlags = {
  ...generatorFlags,
  clusterrole: text(),
  group: array(),
  serviceaccount: array(),
  user: array(),
};

function buildSubjects({ flags, product }: Call): JsonObject[] {
  const apiGroup = product.rename(rbacGroup);
  const accounts = flags.list('serviceaccount').map((typed) => {
    const [namespace = '', name, more] = typed.split(':');
    if (!name || more !== undefined || namespace === '') throw new KubectlError('serviceaccount must be <namespace>:<name>');
    return { kind: 'ServiceAccount', name, namespace };
  });
  return [
    ...flags.list('user').map((name) => ({ kind: 'User', apiGroup, name })),
    ...flags.list('group').map((name) => ({ kind: 'Group', apiGroup, name })),
    ...accounts,
  ];
}

function buildBinding(call: Call, resource: ApiResource, name: string, roleRef: JsonObject): JsonObject {
  const subjects = buildSubjects(call);
  const named = { apiGroup: call.product.rename(rbacGroup), ...roleRef };
  return buildObject(resource, { name }, { ...(subjects.length > 0 ? { subjects } : {}), roleRef: named });
}

export const roleBinding: Command = {
  flags: { ...subjectFlags, role: text() },
  async run(call) {
    const name = await completeCreation(call);
    const { flags } = call;
    const [bound, cluster] = [flags.text('role'), flags.text('clusterrole')];
    if ((bound === '') === (cluster === '')) throw new KubectlError('exactly one of clusterrole or role must be specified');
    const roleRef = bound === '' ? { kind: 'ClusterRole', name: cluster } : { kind: 'Role', name: bound };
    const object = buildBinding(call, roleBindings, name, roleRef);
    return createAndPrint(call, { resource: roleBindings, object, failure: 'failed to create rolebinding: ', dryRun: parseDryRun(call) });
  },
};

export const clusterRoleBinding: Command = {
  flags: subjectFlags,
  required: ['clusterrole'],
  async run(call) {
    const name = await completeCreation(call);
    const object = buildBinding(call, clusterRoleBindings, name, { kind: 'ClusterRole', name: call.flags.text('clusterrole') });
    return createAndPrint(call, { resource: clusterRoleBindings, object, failure: 'failed to create clusterrolebinding: ' });
  },
};
